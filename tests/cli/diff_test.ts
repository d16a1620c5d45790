import { assert, assertEquals } from "@std/assert";
import type { Loose } from "../gltf/plain_gltf.ts";
import { putLods, staticPart } from "../payload/plain_payload.ts";
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

Deno.test("diff --lod A,B measures one level against another, at the vertices that both use", async () => {
  // two squares of two triangles each, the second one level lower with one normal bent
  const put = staticPart(8, [0, 1, 2, 0, 2, 3]);
  const { bytes } = putLods(put, [[5, [4, 5, 6, 4, 6, 7]]]);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const field = (v: number, k: number) => 4 + v * 56 + k * 4;
  for (let v = 0; v < 4; v++) {
    for (let k = 0; k < 14; k++) {
      view.setFloat32(
        field(v + 4, k),
        view.getFloat32(field(v, k), true),
        true,
      );
    }
  }
  const bent = view.getFloat32(field(6, 3), true) + 0.25;
  view.setFloat32(field(6, 3), bent, true);
  const world = { files: { "two.payload": bytes } };
  const { code, out } = await cli("diff two.payload --lod 0,1 --json", world);
  assertEquals(code, 1);
  const [row] = jsonLines(out) as Loose[];
  assertEquals([row.a, row.b, row.lod], ["two.payload", "two.payload", [0, 1]]);
  assertEquals([row.vertices, row.unpaired], [[4, 4], [0, 0]]);
  const normal = row.attributes.find((x: Loose) => x.name === "normal");
  assertEquals(normal.count, 1);
  assert(Math.abs(normal.largest - 0.25) < 1e-6);
  assertEquals(row.lods.map((l: Loose) => l.missing + l.extra), [0]);
  const text = await cli("diff two.payload two.payload --lod 0,1", world);
  assert(
    text.out.startsWith(
      "LOD 0 of two.payload and LOD 1 of two.payload: different",
    ),
    text.out,
  );
  assertEquals(
    (await cli("diff two.payload two.payload --lod 1", world)).code,
    0,
  );
});

Deno.test("diff asks for two files or two levels, and for levels that are numbers and exist", async () => {
  const usage = [
    "diff a.payload",
    "diff a.payload --lod 0",
    "diff a.payload a.payload --lod x",
    "diff a.payload a.payload --lod 0,1,2",
    "diff a.payload a.payload --lod -1",
  ];
  for (const line of usage) {
    const { code, err } = await cli(line, { files });
    assertEquals(code, 2, line);
    assert(err.includes("--lod"), err);
  }
  const none = await cli("diff a.payload --lod 0,7", { files });
  assertEquals(none.code, 2);
  assert(none.err.includes("7"), none.err);
});

Deno.test("diff says what differs in morph targets and skeletons", async () => {
  const figure = sample("figure.payload");
  const made = await cli("convert f.payload f.glb --morph-epsilon 0.05", {
    files: { "f.payload": figure },
  });
  const world = {
    files: { "f.payload": figure, "f.glb": made.files.get("f.glb")!, ...files },
  };
  const { out } = await cli("diff f.payload f.glb", world);
  assert(/^ {2}morph target +largest +mean/m.test(out), out);
  const other = await cli("diff f.payload a.payload", world);
  assert(other.out.includes("Only the first mesh has a skeleton"), other.out);
});
