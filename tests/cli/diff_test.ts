import { assert, assertEquals } from "@std/assert";
import { staticPart } from "../payload/plain_payload.ts";
import { cli, jsonLines, sample } from "./fake_host.ts";
import { plainGlb } from "./plain_gltf.ts";

const triangle = staticPart(3, [0, 1, 2]).bytes;
/** The same triangle with one number changed: the u of vertex 2. */
function withU(u: number): Uint8Array {
  const out = triangle.slice();
  new DataView(out.buffer).setFloat32(4 + 2 * 56 + 48, u, true);
  return out;
}
const files = {
  "a.payload": triangle,
  "near.payload": withU(0.5 + 0.01),
  "other.glb": plainGlb(3),
  "cut.payload": triangle.subarray(0, 50),
};

Deno.test("diff exits 0 for the same mesh in two formats, 1 for another", async () => {
  const figure = sample("figure.payload");
  const made = await cli("convert f.payload f.glb", {
    files: { "f.payload": figure },
  });
  const world = {
    files: { ...files, "f.payload": figure, "f.glb": made.files.get("f.glb")! },
  };
  const same = await cli("diff f.payload f.glb", world);
  assertEquals([same.code, same.err], [0, ""]);
  assert(same.out.startsWith("f.payload and f.glb: the same mesh"), same.out);
  const other = await cli("diff f.glb a.payload", world);
  assertEquals([other.code, other.err], [1, ""]);
  assert(other.out.startsWith("f.glb and a.payload: different"), other.out);
});

Deno.test("diff --tolerance decides what counts as the same", async () => {
  for (
    const [tolerance, want] of [["0.005", 1], ["0.02", 0], ["0", 1]] as const
  ) {
    const { code, out } = await cli(
      `diff a.payload near.payload --json --tolerance ${tolerance}`,
      { files },
    );
    assertEquals(code, want, tolerance);
    const [row] = jsonLines(out) as {
      schema: string;
      same: boolean;
      attributes: { name: string; largest: number; count: number }[];
    }[];
    assertEquals([row.schema, row.same], ["meshwright/diff/1", want === 0]);
    const uv = row.attributes.find((x) => x.name === "uv0")!;
    assert(Math.abs(uv.largest - 0.01) < 1e-7, out);
    assertEquals(uv.count, want);
  }
});

Deno.test("diff measures nothing where no vertex has a partner", async () => {
  const { code, out } = await cli("diff a.payload other.glb", { files });
  assertEquals(code, 1);
  assert(/\d+ vert(ex|ices) only in the first mesh/.test(out), out);
});

Deno.test("diff exits 3 for a file that can not be read, and says which", async () => {
  const { code, out, err } = await cli("diff cut.payload none.payload", {
    files,
  });
  assertEquals([code, out], [3, ""]);
  assert(err.includes("cut.payload: ") && err.includes("none.payload"), err);
});

Deno.test("diff --quiet answers with the exit code alone", async () => {
  const same = await cli("diff a.payload a.payload --quiet", { files });
  assertEquals([same.code, same.out, same.err], [0, "", ""]);
  const other = await cli("diff a.payload other.glb --quiet", { files });
  assertEquals([other.code, other.out, other.err], [1, "", ""]);
});
