/**
 * Requests of every kind, good and bad, with what must come back: the command line's bytes.
 *
 * @module
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { unzipSync, zipSync } from "fflate";
import { sample } from "../batch/batches.ts";
import { cli } from "../cli/fake_host.ts";
import { plainGlb } from "../cli/plain_gltf.ts";
import { Random } from "../random.ts";
import { assertSameBytes } from "../same_bytes.ts";

/** One kind of request. */
export interface Kind {
  path: string;
  method?: string;
  body?: () => BodyInit;
  status: number;
  /** Judges the body. */
  check(bytes: Uint8Array): void;
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** A zip of named entries, as another program would make it. */
export function zip(
  files: Record<string, Uint8Array>,
): Uint8Array<ArrayBuffer> {
  return zipSync(files, { level: 6 }) as Uint8Array<ArrayBuffer>;
}

const BUOY = ["buoy.mdl", "buoy.vvd", "buoy.dx90.vtx"];

function samples(names: readonly string[]): Record<string, Uint8Array> {
  return Object.fromEntries(names.map((name) => [name, sample(name)]));
}

/** What the command line writes: bytes by path. */
async function converted(
  input: string,
  out: string,
  files: Record<string, Uint8Array>,
  options = "",
): Promise<Record<string, Uint8Array>> {
  const ran = await cli(`convert ${input} ${out}${options}`, { files });
  assertEquals(ran.code, 0, ran.err);
  return Object.fromEntries(
    ran.writes.flat().map((path) => [path, ran.files.get(path)!]),
  );
}

function sameFiles(
  bytes: Uint8Array,
  want: Record<string, Uint8Array>,
  besides: readonly string[] = [],
): void {
  const got = unzipSync(bytes);
  assertEquals(
    Object.keys(got).sort(),
    [...Object.keys(want), ...besides].sort(),
  );
  for (const [name, data] of Object.entries(want)) {
    assertSameBytes(got[name], data, name);
  }
}

/** A request that must be refused, with a word of the answer. */
function refused(
  path: string,
  body: BodyInit | null,
  status: number,
  word: string,
  method = "POST",
): Kind {
  return {
    path,
    method,
    ...(body === null ? {} : { body: () => body }),
    status,
    check(bytes) {
      const answer = JSON.parse(text(bytes));
      assertEquals([answer.schema, answer.ok], ["meshwright/error/1", false]);
      assertStringIncludes(text(bytes), word);
    },
  };
}

/** All kinds. */
export async function kinds(): Promise<Kind[]> {
  const one = async (name: string, to: string, out: string): Promise<Kind> => {
    const want = await converted(name, out, samples([name]));
    return {
      path: `/convert?to=${to}&name=${name}`,
      body: () => sample(name),
      status: 200,
      check: (bytes) => assertSameBytes(bytes, want[out], name),
    };
  };
  const said = async (
    how: string,
    name: string,
    data: Uint8Array<ArrayBuffer>,
  ) => {
    const ran = await cli(`${how} ${name} --json`, { files: { [name]: data } });
    return (status: number): Kind => ({
      path: `/${how}?name=${name}`,
      body: () => data,
      status,
      check: (bytes) =>
        assertEquals(JSON.parse(text(bytes)), JSON.parse(ran.out)),
    });
  };
  const cut = sample("lantern.vvd").subarray(0, 777);
  const buoy = await converted("buoy.mdl", "buoy.glb", samples(BUOY));
  const obj = await converted(
    "terrain.payload",
    "terrain.obj",
    samples(["terrain.payload"]),
  );
  const smd = await converted(
    "buoy.mdl",
    "buoy.smd",
    samples(BUOY),
  );
  const form = () => {
    const out = new FormData();
    for (const name of BUOY) out.append("file", new File([sample(name)], name));
    return out;
  };
  const many = zip({
    ...samples([...BUOY, "figure.payload"]),
    "cut.vvd": cut,
    "a/terrain.payload": sample("terrain.payload"),
  });
  const manyOut = {
    ...buoy,
    ...await converted(
      "figure.payload",
      "figure.glb",
      samples(["figure.payload"]),
    ),
    ...await converted("a/terrain.payload", "a/terrain.glb", {
      "a/terrain.payload": sample("terrain.payload"),
    }),
  };
  return [
    await one("lantern.vvd", "glb", "lantern.glb"),
    await one("lantern.vvd", "payload", "lantern.payload"),
    await one("figure.payload", "css", "figure.json"),
    await one("terrain.payload", "glb", "terrain.glb"),
    {
      path: "/convert?to=glb",
      body: () => zip(samples(BUOY)),
      status: 200,
      check: (bytes) => assertSameBytes(bytes, buoy["buoy.glb"], "buoy"),
    },
    {
      path: "/convert?to=smd",
      body: form,
      status: 200,
      check: (bytes) => sameFiles(bytes, smd),
    },
    {
      path: "/convert?to=obj&name=terrain.payload",
      body: () => sample("terrain.payload"),
      status: 200,
      check: (bytes) => sameFiles(bytes, obj),
    },
    (await said("inspect", "figure.payload", sample("figure.payload")))(200),
    (await said("validate", "lantern.vvd", sample("lantern.vvd")))(200),
    (await said("validate", "cut.vvd", cut))(422),
    {
      path: "/batch?to=glb",
      body: () => many,
      status: 200,
      check(bytes) {
        sameFiles(bytes, manyOut, ["report.json"]);
        const report = JSON.parse(text(unzipSync(bytes)["report.json"]));
        assertEquals([report.files, report.failed], [4, 1]);
      },
    },
    {
      path: "/healthz",
      method: "GET",
      status: 200,
      check: (bytes) => assertEquals(JSON.parse(text(bytes)).ok, true),
    },
    refused("/convert?to=glb", cut, 422, "VVD-RANGE"),
    refused("/convert?to=nothing", "x", 400, "gltf"),
    refused("/convert?to=glb", "???", 415, "FORMAT-UNKNOWN"),
    refused("/convert?to=glb&lood=1", cut, 400, "lood"),
    refused(
      "/convert?to=payload&name=strip.glb",
      plainGlb(33_000) as Uint8Array<ArrayBuffer>,
      413,
      "PAYLOAD-VERTEX-COUNT",
    ),
    refused("/batch?to=glb", "no zip", 400, "zip"),
    refused(
      "/convert?to=glb",
      zip({ "../figure.payload": sample("figure.payload") }),
      400,
      "leads out of the folder",
    ),
    refused("/nothing", null, 404, "/convert", "GET"),
    refused("/convert", null, 405, "POST", "GET"),
  ];
}

/** Sends requests that chance picks, several at once, and judges every answer. */
export async function sendMixed(
  url: string,
  list: readonly Kind[],
  o: { requests: number; lanes: number; seed: number },
): Promise<void> {
  const random = new Random(o.seed);
  let left = o.requests;
  const lane = async () => {
    while (left-- > 0) {
      const kind = list[random.below(list.length)];
      const response = await fetch(new URL(kind.path, url), {
        method: kind.method ?? "POST",
        ...(kind.body ? { body: kind.body() } : {}),
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      assertEquals(response.status, kind.status, `${kind.path} ${text(bytes)}`);
      kind.check(bytes);
    }
  };
  await Promise.all(Array.from({ length: o.lanes }, lane));
}
