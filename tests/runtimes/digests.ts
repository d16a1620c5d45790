/**
 * The same work for every runtime: converts the samples and names each result by its SHA-256.
 *
 * This module runs in Deno, Node, Bun, workerd and a page, so it uses nothing that one of them lacks; the library and the
 * way to get a sample are handed in.
 *
 * @module
 */
import type { FormatId } from "../../mod.ts";

/** The library, as a module object. */
export type Kit = typeof import("../../mod.ts");

/** The samples that {@linkcode digests} reads. */
export const SAMPLES: readonly string[] = [
  "lantern.vvd",
  "terrain.payload",
  "figure.payload",
];

/** From a sample through one or more formats. */
const ROUTES: readonly (readonly [sample: string, ...through: FormatId[]])[] = [
  ["lantern.vvd", "gltf"],
  ["terrain.payload", "gltf", "payload"],
  ["figure.payload", "gltf", "payload"],
  // another basis: positions, normals and tangents are all computed anew
  ["terrain.payload", "vvd"],
];

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(
    await crypto.subtle.digest("SHA-256", bytes as BufferSource),
  );
  return Array.from(digest, (b) => b.toString(16).padStart(2, "0")).join("");
}

/** SHA-256 of every result, by its route: `{"lantern.vvd > gltf": "…"}`; inspections and findings are digested as JSON. */
export async function digests(
  kit: Kit,
  read: (sample: string) => Promise<Uint8Array>,
): Promise<Record<string, string>> {
  const out: Record<string, string> = {};
  for (const sample of SAMPLES) {
    const bytes = await read(sample);
    out[sample] = await sha256(bytes);
    const seen = [await kit.inspect(bytes), await kit.validate(bytes)];
    out[`${sample} > JSON`] = await sha256(
      new TextEncoder().encode(JSON.stringify(seen)),
    );
  }
  for (const [sample, ...through] of ROUTES) {
    let bytes = await read(sample);
    let name = sample;
    for (const to of through) {
      [bytes] = (await kit.convert(bytes, { to })).outputs;
      name += ` > ${to}`;
      out[name] = await sha256(bytes);
    }
  }
  const { outputs } = await kit.convert(await read("lantern.vvd"), {
    to: "vvd",
    lod: 1,
  });
  out["lantern.vvd > LOD 1"] = await sha256(outputs[0]);
  return out;
}
