import { assertEquals } from "@std/assert";
import { groupFiles } from "../../web/sets.ts";

const file = (name: string, text = name) => ({
  name,
  bytes: new TextEncoder().encode(text),
});
const shape = (names: string[], text: Record<string, string> = {}) =>
  groupFiles(names.map((name) => file(name, text[name]))).map((set) => [
    set.name,
    Object.keys(set.resources).sort(),
  ]);

Deno.test("groupFiles() puts companions with their model when a Source model is dropped", () => {
  assertEquals(
    shape(["a.vvd", "A.dx90.vtx", "a.mdl", "b.vvd", "readme.txt"]),
    [["a.mdl", ["A.dx90.vtx", "a.vvd"]], ["b.vvd", []]],
  );
});

Deno.test("groupFiles() puts buffers with their glTF by the URI that it uses", () => {
  const gltf = '{"asset":{},"buffers":[{"uri":"sub/my%20data.bin"},{}]}';
  assertEquals(
    shape(["my data.bin", "x.gltf", "pic.png"], { "x.gltf": gltf }),
    [["x.gltf", ["sub/my%20data.bin"]]],
  );
});

Deno.test("groupFiles() opens every model when several are dropped", () => {
  assertEquals(
    shape(["a.glb", "b.payload", "c.json"]),
    [["a.glb", []], ["b.payload", []], ["c.json", []]],
  );
});

Deno.test("groupFiles() opens a file of unknown name when it comes alone, and all when none is known", () => {
  assertEquals(shape(["strange.dat"]), [["strange.dat", []]]);
  assertEquals(shape(["x.dat", "y.dat"]), [["x.dat", []], ["y.dat", []]]);
  assertEquals(shape([]), []);
});

Deno.test("groupFiles() keeps a glTF that is no JSON when it is dropped", () => {
  assertEquals(shape(["x.gltf"], { "x.gltf": "nonsense" }), [["x.gltf", []]]);
});
