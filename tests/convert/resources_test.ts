import { assertEquals, assertRejects } from "@std/assert";
import { readSet } from "../../src/convert/read_set.ts";
import { resourcesAmong } from "../../src/convert/resources.ts";

const text = (s: string) => new TextEncoder().encode(s);
const gltf = (...uris: unknown[]) =>
  text(JSON.stringify({ asset: {}, buffers: uris.map((uri) => ({ uri })) }));

Deno.test("resourcesAmong() finds a glTF's buffers by their URIs, below its own folder alone", () => {
  const paths = ["s/x.gltf", "s/my data.bin", "s/sub/b.bin", "up.bin", "c:/d"];
  const among = (...uris: unknown[]) =>
    resourcesAmong("s/x.gltf", gltf(...uris), paths);
  assertEquals(among("my%20data.bin", "sub/b.bin", "my%20data.bin"), [
    { name: "my%20data.bin", path: "s/my data.bin" },
    { name: "sub/b.bin", path: "s/sub/b.bin" },
  ]);
  for (
    const uri of ["../up.bin", "%2e%2e/up.bin", "/up.bin", "c:/d", "%", "", 5]
  ) assertEquals(among(uri), [], String(uri));
  assertEquals(among("missing.bin", "data:;base64,AA=="), []);
  assertEquals(resourcesAmong("s/x.gltf", text("no JSON"), paths), []);
});

Deno.test("resourcesAmong() finds the files of a Source model in its folder, whatever their case", () => {
  const paths = ["a/X.mdl", "a/x.VVD", "a/x.dx90.vtx", "b/x.vvd", "a/y.vvd"];
  assertEquals(resourcesAmong("a/X.mdl", text("IDST"), paths), [
    { name: "x.VVD", path: "a/x.VVD" },
    { name: "x.dx90.vtx", path: "a/x.dx90.vtx" },
  ]);
  assertEquals(resourcesAmong("a/x.VVD", text("IDSV"), paths), []);
});

Deno.test("readSet() reads what a model points to and nothing else", async () => {
  const files = new Map<string, Uint8Array>([
    ["s/x.gltf", gltf("a.bin", "gone.bin", "../up.bin")],
    ["s/a.bin", text("a")],
    ["up.bin", text("up")],
    ["m/x.mdl", text("IDST")],
    ["m/X.vvd", text("IDSV")],
    ["m/y.vvd", text("IDSV")],
  ]);
  const read: string[] = [];
  const reader = {
    read(path: string) {
      read.push(path);
      const bytes = files.get(path);
      return bytes ? Promise.resolve(bytes) : Promise.reject(new Error(path));
    },
    look: (path: string) =>
      Promise.resolve(files.has(path) ? "file" as const : null),
    list: (folder: string) =>
      Promise.resolve(
        [...files.keys()].filter((path) => path.startsWith(folder))
          .map((path) => path.slice(folder.length)),
      ),
  };
  const set = await readSet(reader, "s/x.gltf");
  assertEquals(Object.keys(set.resources), ["a.bin"]);
  assertEquals(Object.keys((await readSet(reader, "m/x.mdl")).resources), [
    "X.vvd",
  ]);
  assertEquals(read, ["s/x.gltf", "s/a.bin", "m/x.mdl", "m/X.vvd"]);
  await assertRejects(() => readSet(reader, "gone.mdl"), Error, "gone.mdl");
});
