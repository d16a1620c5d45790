import { assert } from "@std/assert";
import { exercisePayload, exerciseVvd, Trial } from "./exercise.ts";
import { type Small, smallPayloads, smallVvds } from "./files.ts";
import { AllocationWatch } from "./watch.ts";

type Exercise = (bytes: Uint8Array, trial: Trial) => void;

const SUITES: [format: string, files: Small[], exercise: Exercise][] = [
  ["VVD", smallVvds(), exerciseVvd],
  ["payload", smallPayloads(), exercisePayload],
];

/** Runs one damaged input and says which one it was when something breaks. */
function run(
  exercise: Exercise,
  bytes: Uint8Array,
  trial: Trial,
  what: string,
): void {
  try {
    exercise(bytes, trial);
  } catch (cause) {
    throw new Error(
      `${what}: ${cause instanceof Error ? cause.message : cause}`,
      {
        cause,
      },
    );
  }
}

/** Starts the kernels outside of the watch: their module is larger than any of these files. */
function warmUp(): void {
  using watch = new AllocationWatch();
  const trial = new Trial(watch);
  for (const [, files, exercise] of SUITES) {
    for (const { bytes } of files) {
      try {
        exercise(bytes, trial);
      } catch {
        // the tests below report it
      }
    }
  }
}
warmUp();

for (const [format, files, exercise] of SUITES) {
  for (const { name, bytes } of files) {
    assert(bytes.length < 1024, `${name} is not small`);

    Deno.test(`${format} functions hold for every bit flip of: ${name}`, () => {
      using watch = new AllocationWatch();
      const trial = new Trial(watch);
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const damaged = bytes.slice();
        damaged[bit >> 3] ^= 1 << (bit & 7);
        run(exercise, damaged, trial, `bit ${bit & 7} of byte ${bit >> 3}`);
      }
      // most bits are data, so most files are still accepted; some are not
      if (bytes.length > 100) {
        assert(trial.accepted > trial.refused / 10, "nearly all were refused");
        assert(trial.refused > 0, "none was refused");
      }
    });

    Deno.test(`${format} functions hold for every truncation of: ${name}`, () => {
      using watch = new AllocationWatch();
      const trial = new Trial(watch);
      for (let n = 0; n <= bytes.length; n++) {
        run(exercise, bytes.slice(0, n), trial, `cut to ${n} bytes`);
      }
    });

    Deno.test(`${format} functions hold for every word overwritten in: ${name}`, () => {
      using watch = new AllocationWatch();
      const trial = new Trial(watch);
      const words = [
        0,
        0x7fffffff,
        0xffffffff,
        0x05555556, // times 48 just past 2^32
        0x04924925, // times 56
        0x0aaaaaab, // times 24
        0x7f800001, // a signalling NaN
      ];
      // every byte may begin a word: names and odd counts shift what follows
      for (let at = 0; at + 4 <= bytes.length; at++) {
        for (const word of words) {
          const damaged = bytes.slice();
          new DataView(damaged.buffer).setUint32(at, word, true);
          run(exercise, damaged, trial, `word ${word} at byte ${at}`);
        }
      }
    });
  }
}
