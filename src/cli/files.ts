/**
 * Reading inputs and choosing outputs.
 *
 * @module
 */
import { readSet } from "../convert/read_set.ts";
import type { ConvertOptions } from "../convert/convert.ts";
import { extensionFormat } from "../convert/detect.ts";
import { type Target, TARGET_WORDS, targetOf } from "../convert/options.ts";
import { type FormatId, formatInfo } from "../core/formats.ts";
import type { GltfDecoders } from "../formats/gltf/mod.ts";
import { decodersFor } from "./decoders.ts";
import type { ReadOptions } from "../convert/read.ts";
import type { Host } from "./host.ts";
import { UsageError } from "./usage.ts";

/** An input with the files that it points to. */
export interface Input {
  /** Name as given. */
  name: string;
  /** Its bytes. */
  bytes: Uint8Array;
  /** Files named by a glTF, by the URI it uses; files beside an .mdl, by their names. */
  resources: Record<string, Uint8Array>;
  /** Codecs that the file asks for. */
  decoders: GltfDecoders;
  /** Is told how far the file is looked through, where that is shown. */
  onProgress?: (done: number, total: number) => void;
}

/** What the readers of formats are told of an input. */
export function readOptions(
  { name, resources, decoders, onProgress }: Input,
): ReadOptions {
  return {
    name,
    resources,
    decoders,
    ...(onProgress ? { onProgress } : {}),
  };
}

/** What reading an input needs. */
export type Reader = Pick<Host, "read" | "look" | "list" | "checking">;

/** Reads an input; of a glTF also the buffers beside it, of a Source model also the rest of it. */
export async function readInput(host: Reader, name: string): Promise<Input> {
  const { bytes, resources, json } = await readSet(host, name);
  return {
    name,
    bytes,
    resources,
    decoders: await decodersFor(json),
    ...(host.checking ? { onProgress: host.checking(name) } : {}),
  };
}

/** The target: `--to`, else the output's extension, which also says which glTF a mere `gltf` is. */
export function targetFormat(
  out: string,
  asked: Target | undefined,
): Pick<ConvertOptions, "to" | "gltfJson"> {
  const id = asked ?? extensionFormat(out);
  if (!id) {
    throw new UsageError(
      out === "-"
        ? "Name the target with --to: stdout has no extension"
        : `Name the target with --to: the extension of ${out} says nothing`,
    );
  }
  const target = targetOf(id);
  if (!formatInfo(target.to).writes) {
    throw new UsageError(
      `Choose a target of ${
        TARGET_WORDS.join(", ")
      }: this version does not write ${id}`,
    );
  }
  return { gltfJson: out.toLowerCase().endsWith(".gltf"), ...target };
}

/** Refuses an output whose extension tells of another format than a command writes; no extension, or an unknown one, tells nothing. */
export function checkExtension(out: string, writes: FormatId): void {
  const named = extensionFormat(out);
  if (named === null || named === writes) return;
  throw new UsageError(
    `Name a file that ends in ${
      formatInfo(writes).extensions[0]
    }: this writes ${writes}, ${out} is called like ${named}`,
  );
}

/** Refuses outputs that are folders, and those that exist, unless forced. */
export async function checkOutputs(
  host: Host,
  paths: readonly string[],
  force: boolean,
): Promise<void> {
  for (const path of paths) {
    const found = path === "-" ? null : await host.look(path);
    if (found === "folder") {
      throw new UsageError(`Name a file to write: ${path} is a folder`);
    }
    if (found === "file" && !force) {
      throw new UsageError(`Pass --force to overwrite ${path}: it exists`);
    }
  }
}
