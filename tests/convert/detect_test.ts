import {
  assert,
  assertEquals,
  assertLess,
  assertRejects,
  assertThrows,
} from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import {
  detectFormat,
  requireFormat,
  requireReadable,
  requireWritable,
} from "../../src/convert/detect.ts";
import { FORMATS } from "../../src/core/formats.ts";
import { MeshError } from "../../src/core/errors.ts";
import { encode, triangle } from "../gltf/plain_gltf.ts";
import { skinnedPart, staticPart } from "../payload/plain_payload.ts";
import { plainRecords, plainVvd } from "../vvd/plain_vvd.ts";

const vvd = plainVvd({ counts: [1], vertices: plainRecords(1) });

Deno.test("detectFormat() goes by the content, whatever the name says", () => {
  const files: [Uint8Array, string][] = [
    [vvd, "vvd"],
    [encode("IDST\x30\0\0\0"), "mdl"],
    [skinnedPart(1, [], []).bytes, "payload"],
    [staticPart(3, [0, 1, 2]).bytes, "payload"],
    [triangle().glb(), "gltf"],
    [triangle().gltf(), "gltf"],
    [encode('{"schema":1}'), "css"],
  ];
  const binary = ["vvd", "mdl", "gltf"];
  for (const [bytes, format] of files) {
    assertEquals(detectFormat(bytes), format);
    assertEquals(detectFormat(bytes, "x.unknown"), format);
    // a static payload has no magic, so that another name wins over its structure
    if (binary.includes(format)) {
      assertEquals(detectFormat(bytes, "x.payload"), format);
    }
  }
});

Deno.test("detectFormat() looks for the keys of JSON at the top level alone, behind white space and a mark", () => {
  const of = (text: string, name = "") => detectFormat(encode(text), name);
  assertEquals(of('\ufeff\r\n\t {"asset":{}}'), "gltf");
  assertEquals(of('{"x":{"schema":1},"asset":{}}'), "gltf");
  assertEquals(of('{"x":[{"asset":1}],"schema":1}'), "css");
  assertEquals(of('{"a":"asset","b":["schema"],"schema" \n :1}'), "css");
  assertEquals(of('{"a\\"asset":1,"schema":1}'), "css");
  assertEquals(of('{"a":"}{\\\\","asset":1}'), "gltf");
  assertEquals(of('{"assets":1}'), null);
  assertEquals(of('{"asset"}'), null);
  assertEquals(of('["asset"]'), null);
  assertEquals(of("{"), null);
  assertEquals(of('{"'), null);
  assertEquals(of("{}", "a.GLTF"), "gltf");
  assertEquals(of("{}", "a.json"), "css");
});

Deno.test("detectFormat() lets the extension settle what the content leaves open", () => {
  const nothing = Uint8Array.of(1, 2, 3);
  assertEquals(detectFormat(nothing), null);
  for (const { id, extensions } of FORMATS) {
    for (const extension of extensions) {
      assertEquals(detectFormat(nothing, `a/b.c${extension}`), id);
      assertEquals(detectFormat(nothing, `A${extension.toUpperCase()}`), id);
    }
  }
  assertEquals(detectFormat(new Uint8Array(0), "x.glb"), "gltf");
});

Deno.test("detectFormat() takes under 100 ms for text that never ends", () => {
  const long = 200_000;
  const texts = [
    `{"${'\\"'.repeat(long)}`,
    `{${'"'.repeat(long)}`,
    `{${'"schema"'.repeat(long / 8)}`,
    `{${`"schema"${" ".repeat(50)}`.repeat(long / 58)}`,
    "{".repeat(long),
    " ".repeat(long),
  ].map(encode);
  for (const text of texts) {
    let best = Infinity;
    for (let tries = 0; tries < 3 && best >= 100; tries++) {
      const start = performance.now();
      detectFormat(text);
      best = Math.min(best, performance.now() - start);
    }
    assertLess(best, 100);
  }
});

Deno.test("requireFormat() throws FORMAT-UNKNOWN with the first bytes", () => {
  const error = assertThrows(
    () => requireFormat(Uint8Array.of(1, 0xab, 3), "x"),
    MeshError,
  );
  assertEquals([error.code, error.offset, error.found], [
    "FORMAT-UNKNOWN",
    0,
    "01 ab 03",
  ]);
  const empty = assertThrows(
    () => requireFormat(new Uint8Array(0), ""),
    MeshError,
  );
  assertEquals(empty.code, "FORMAT-UNKNOWN");
  // what is offered can be read
  assertEquals(empty.allowed, ["vvd", "payload", "gltf", "mdl", "css"]);
  assertEquals(requireFormat(vvd, ""), "vvd");
});

Deno.test("requireReadable() and requireWritable() throw FORMAT-UNSUPPORTED by the table of formats", () => {
  for (const { id, reads, writes } of FORMATS) {
    for (
      const [require, can] of [
        [requireReadable, reads],
        [requireWritable, writes],
      ] as const
    ) {
      if (can) require(id);
      else {
        const error = assertThrows(() => require(id), MeshError);
        assertEquals([error.code, error.found], ["FORMAT-UNSUPPORTED", id]);
      }
    }
  }
});

Deno.test("convert() takes --from over the content, and refuses formats that it can not read or write", async () => {
  const code = async (
    bytes: Uint8Array,
    options: Parameters<typeof convert>[1],
  ) => (await assertRejects(() => convert(bytes, options), MeshError)).code;
  assertEquals(await code(vvd, { to: "mdl" }), "FORMAT-UNSUPPORTED");
  assertEquals(
    await code(vvd, { from: "obj", to: "gltf" }),
    "FORMAT-UNSUPPORTED",
  );
  assertEquals(await code(vvd, { from: "gltf", to: "payload" }), "GLTF-JSON");
  assertEquals(await code(encode("?"), { to: "gltf" }), "FORMAT-UNKNOWN");
  // sixteen bytes that are a skinned payload, forced through the static reader's format all the same
  const { report } = await convert(skinnedPart(0, [], []).bytes, {
    from: "payload",
    name: "wrong.vvd",
    to: "gltf",
  });
  assertEquals(report.from, "payload");
});

Deno.test("requireFormat() says what a file without a format may be", () => {
  const says = (bytes: Uint8Array, name = "") =>
    assertThrows(() => requireFormat(bytes, name), MeshError);
  // a static payload of 817 vertices, cut short
  const cut = Deno.readFileSync("samples/terrain.payload").subarray(0, 200);
  for (const name of ["cut.bin", "-"]) {
    const { code, message } = says(cut, name);
    assertEquals(code, "FORMAT-UNKNOWN");
    assert(message.includes("the option from=payload"), message);
  }
  const json = says(encode('{"points":[]}')).message;
  assert(json.includes('"schema"') && json.includes('"asset"'), json);
  for (const bytes of [encode("# a text"), new Uint8Array(0)]) {
    const { message } = says(bytes);
    assert(!/payload|JSON/.test(message), message);
  }
});

Deno.test("requireFormat() asks for the .mdl when a part of a Source model is given alone", () => {
  const vtx = Deno.readFileSync("samples/buoy.dx90.vtx");
  for (const name of ["a/buoy.dx90.vtx", "BUOY.VTX", "buoy.vvc", "buoy.phy"]) {
    assertEquals(detectFormat(vtx, name), null);
    const { code, message } = assertThrows(
      () => requireFormat(vtx, name),
      MeshError,
    );
    assertEquals(code, "FORMAT-UNSUPPORTED");
    assert(message.startsWith("Give its .mdl"), message);
  }
  assertEquals(detectFormat(vvd, "odd.vtx"), "vvd"); // what a magic says counts
});
