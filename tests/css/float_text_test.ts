import { assert, assertEquals } from "@std/assert";
import { f32Text } from "../../src/formats/css/float_text.ts";
import { Random } from "../random.ts";

const words = new Uint32Array(1);
const float = new Float32Array(words.buffer);

function fromBits(bits: number): number {
  words[0] = bits;
  return float[0];
}

/** Text to f32 and back, and no text of fewer digits that is as near does it. */
function check(x: number): void {
  const text = f32Text(x);
  assert(Object.is(Math.fround(JSON.parse(text)), x), `${x}: ${text}`);
  const digits = text.replace(/e.*$/, "").replace(/[-.]/g, "")
    .replace(/^0+/, "").replace(/0+$/, "").length;
  if (digits > 1) {
    const shorter = Number(x.toPrecision(digits - 1));
    assert(Math.fround(shorter) !== x, `${text} of ${x} could be ${shorter}`);
  }
}

Deno.test("f32Text() gives the same f32 back, in the fewest digits, over all exponents", () => {
  for (let exponent = 0; exponent < 255; exponent++) {
    for (const mantissa of [0, 1, 2, 3, 0x400000, 0x7ffffe, 0x7fffff]) {
      for (const sign of [0, 1]) {
        check(fromBits((sign << 31 | exponent << 23 | mantissa) >>> 0));
      }
    }
  }
});

Deno.test("f32Text() gives the same f32 back when bits are random", () => {
  const random = new Random(41);
  for (let i = 0; i < 100_000; i++) {
    const x = fromBits(random.u32());
    if (Number.isFinite(x)) check(x);
    check(Math.fround(random.between(-200, 200)));
    check(Math.fround(random.float()));
  }
});

Deno.test("f32Text() writes known numbers as people do", () => {
  const cases: [number, string][] = [
    [0, "0"],
    [-0, "-0"],
    [1, "1"],
    [-10000, "-10000"],
    [0.1, "0.1"],
    [-0.7071067811865476, "-0.70710677"],
    [99.99, "99.99"],
    [0.001, "0.001"],
    [0.00123, "0.00123"],
    [16777216, "16777216"],
    [1e-7, "1e-7"],
    [3.4028234663852886e38, "3.4028235e+38"],
    [1.401298464324817e-45, "1e-45"],
  ];
  for (const [x, text] of cases) assertEquals(f32Text(Math.fround(x)), text);
});
