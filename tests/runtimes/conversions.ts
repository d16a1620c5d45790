/**
 * The same work for every runtime: runs conversions and names each result by its SHA-256.
 *
 * This module runs in Deno, Node, Bun, workerd and a page, so it uses nothing that one of them lacks; the library and the
 * way to get a file are handed in.
 *
 * @module
 */
import type { ConvertOptions } from "../../mod.ts";

/** The library, as a module object. */
export type Kit = typeof import("../../mod.ts");

/** One step of a conversion: what `convert()` takes, or a replay at a root LOD. */
export type Step =
  | Omit<ConvertOptions, "resources" | "decoders">
  | { replay: number };

/** A file through one or more steps. */
export interface Conversion {
  /** The file, by a path that says where it is from: `samples/lantern.vvd`. */
  file: string;
  /** Files that belong to it. */
  resources: string[];
  /** What is done to it. */
  steps: Step[];
}

/** What came out of a conversion, by the hash of the manifest that it stands in. */
export type Manifest = Record<string, string>;

/** Reads a file by its path. */
export type Read = (path: string) => Promise<Uint8Array>;

/** What a conversion is called in the manifest. */
export function nameOf({ file, steps }: Conversion): string {
  const texts = steps.map((step) => {
    if ("replay" in step) return `replay ${step.replay}`;
    const { to, ...options } = step;
    const rest = Object.entries(options).map(([k, v]) =>
      ` ${k}=${JSON.stringify(v)}`
    );
    return to + rest.join("");
  });
  return [file, ...texts].join(" > ");
}

/** SHA-256 in hexadecimal. */
export async function sha256(bytes: Uint8Array | string): Promise<string> {
  const data = typeof bytes === "string"
    ? new TextEncoder().encode(bytes)
    : bytes;
  const digest = new Uint8Array(
    await crypto.subtle.digest("SHA-256", data as BufferSource),
  );
  return Array.from(digest, (b) => b.toString(16).padStart(2, "0")).join("");
}

const baseName = (path: string) => path.replace(/^.*\//, "");
const stem = (path: string) => baseName(path).replace(/\.[^.]*$/, "");

async function runSteps(
  kit: Kit,
  { file, resources, steps }: Conversion,
  read: Read,
): Promise<string> {
  let bytes = await read(file);
  let beside: Record<string, Uint8Array> = {};
  for (const path of resources) beside[baseName(path)] = await read(path);
  let name: string | undefined = baseName(file);
  const hashes: string[] = [];
  for (const step of steps) {
    if ("replay" in step) {
      bytes = kit.writeVvd(kit.replayVvd(kit.readVvd(bytes), step.replay));
      hashes.push(await sha256(bytes));
    } else {
      const { outputs, report } = await kit.convert(bytes, {
        ...step,
        resources: beside,
        outName: stem(file),
        ...(name === undefined ? {} : { name }),
      });
      for (const output of outputs) hashes.push(await sha256(output));
      hashes.push(await sha256(JSON.stringify(report)));
      bytes = outputs[0];
    }
    name = undefined;
    beside = {};
  }
  return hashes.join(" ");
}

/** Runs one conversion: hashes of its outputs and reports in order, or the code of the error that refuses it. */
export async function resultOf(
  kit: Kit,
  conversion: Conversion,
  read: Read,
): Promise<string> {
  try {
    return await runSteps(kit, conversion, read);
  } catch (error) {
    if (!(error instanceof kit.MeshError)) throw error;
    return `refused: ${error.code}`;
  }
}

/** Runs conversions. */
export async function manifestOf(
  kit: Kit,
  conversions: readonly Conversion[],
  read: Read,
): Promise<Manifest> {
  const manifest: Manifest = {};
  for (const conversion of conversions) {
    manifest[nameOf(conversion)] = await resultOf(kit, conversion, read);
  }
  return manifest;
}
