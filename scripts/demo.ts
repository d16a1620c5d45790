/**
 * `deno task demo`: runs the real commands on the shipped samples and shows what they print. Results go to out/.
 */
import { denoHost } from "../src/cli/deno_host.ts";
import { run } from "../src/cli/main.ts";

const color = !Deno.noColor && Deno.stdout.isTerminal();
const bold = (text: string) => color ? `\x1b[1m${text}\x1b[22m` : text;

function say(text: string): void {
  console.log(`\n${text}`);
}

async function show(line: string): Promise<void> {
  console.log(`\n${bold(`$ meshwright ${line}`)}`);
  const host = denoHost(line.split(" "));
  // everything goes to stdout here, in the order it happens
  const text: string[] = [];
  const code = await run({
    ...host,
    color,
    out: async (data) => void await text.push(String(data)),
    err: async (data) => void await text.push(data),
  });
  console.log(text.join("").trimEnd());
  if (code !== 0) {
    console.error(`The demo stopped: exit code ${code}`);
    Deno.exit(code);
  }
}

await Deno.mkdir("out", { recursive: true });

say(
  "A Source vertex file keeps one pool of vertices, sorted by level of detail. The fixup table below\n" +
    "is what puts it back into mesh order; a reader that skips it shows a scrambled model.",
);
await show("inspect samples/lantern.vvd");

say(
  "Replay does what the engine does at a root LOD: vertices and tangents together, no fixups left.",
);
await show("replay samples/lantern.vvd out/lantern_lod1.vvd --lod 1 --force");
await show("convert samples/lantern.vvd out/lantern.glb --force");

say(
  "A whole Source model: body groups, skins, bones, a shape, two levels of detail. Everything the\n" +
    "files beside the .mdl hold goes to glTF in one command, or back to studiomdl's source text.",
);
await show("inspect samples/buoy.mdl");
await show("convert samples/buoy.mdl out/buoy.glb --force");
await show("convert samples/buoy.mdl out/buoy.smd --bodygroup light=1 --force");

say(
  "A packed payload: three levels of detail over one set of vertices, and a collision heightfield.",
);
await show("inspect samples/terrain.payload");
await show("convert samples/terrain.payload out/terrain.glb --force");

say("A skinned payload with sparse morph targets goes to glTF and back:");
await show("convert samples/figure.payload out/figure.glb --force");
await show("convert out/figure.glb out/figure.payload --force");
const before = await Deno.readFile("samples/figure.payload");
const after = await Deno.readFile("out/figure.payload");
const same = before.length === after.length &&
  before.every((byte, i) => byte === after[i]);
console.log(
  same
    ? "  the two payloads are equal, byte for byte"
    : "  the two payloads differ",
);
if (!same) Deno.exit(1);

say("And when a file is damaged, the message says where and what to do:");
const cut = "out/lantern_cut.vvd";
await Deno.writeFile(
  cut,
  (await Deno.readFile("samples/lantern.vvd")).subarray(0, 20_000),
);
console.log(`\n${bold(`$ meshwright validate ${cut}`)}`);
await run({ ...denoHost(["validate", cut]), color });
await show("explain VVD-RANGE");

say(
  "Open out/buoy.glb, out/terrain.glb and out/figure.glb in any glTF viewer, then try your own files:\n" +
    "  deno run --allow-read --allow-write cli.ts inspect YOUR.vvd\n" +
    "  deno run --allow-read --allow-write cli.ts help",
);
Deno.exit(0);
