import { assertEquals } from "@std/assert";
import {
  outputPaths,
  stemName,
  withExtension,
} from "../../src/convert/output_paths.ts";

Deno.test("outputPaths() keeps one output in its place, numbers parts and gives files beside it their endings", () => {
  const outputs = (n: number) => new Array(n).fill(new Uint8Array(0));
  assertEquals(outputPaths("a/b.payload", { outputs: outputs(1) }), [
    "a/b.payload",
  ]);
  assertEquals(outputPaths("a.b/c.payload", { outputs: outputs(3) }), [
    "a.b/c.0.payload",
    "a.b/c.1.payload",
    "a.b/c.2.payload",
  ]);
  const endings = [".smd", "_lod1.smd", ".vta"];
  assertEquals(outputPaths("a/b.txt", { outputs: outputs(3), endings }), [
    "a/b.txt",
    "a/b_lod1.smd",
    "a/b.vta",
  ]);
});

Deno.test("withExtension() and stemName() know an extension from a folder and a hidden file", () => {
  assertEquals(withExtension("a.b/c", "gltf"), "a.b/c.glb");
  assertEquals(withExtension("a/b.c.vvd", "payload"), "a/b.c.payload");
  assertEquals(withExtension("a/.hidden", "obj"), "a/.hidden.obj");
  assertEquals(stemName("a\\b/c.d.mdl"), "c.d");
  assertEquals(stemName("c"), "c");
});
