/**
 * Names of the files that a conversion gives, the same on the command line, over HTTP, in jobs and on the page.
 *
 * @module
 */
import { type FormatId, formatInfo } from "../core/formats.ts";

/** Where a path's extension begins; its end where it has none. A name that begins with a dot has none. */
function extensionAt(path: string): number {
  const slash = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  const dot = path.lastIndexOf(".");
  return dot > slash + 1 ? dot : path.length;
}

/** A path without its extension. */
export function stemPath(path: string): string {
  return path.slice(0, extensionAt(path));
}

/** The last part of a path, without its extension: what a file calls itself and the files beside it. */
export function stemName(path: string): string {
  return stemPath(path).replace(/^.*[\\/]/, "");
}

/** A path with the usual extension of a format, of glTF as JSON where that is meant. */
export function withExtension(
  path: string,
  to: FormatId,
  gltfJson = false,
): string {
  return stemPath(path) + (gltfJson ? ".gltf" : formatInfo(to).extensions[0]);
}

/** Path of part `i` of a split output: the number goes before the extension. */
export function partPath(path: string, i: number): string {
  const at = extensionAt(path);
  return `${path.slice(0, at)}.${i}${path.slice(at)}`;
}

/** Where the outputs of a conversion go: the first one to `out`, parts and files that belong to it beside it. */
export function outputPaths(
  out: string,
  made: { outputs: readonly unknown[]; endings?: readonly string[] },
): string[] {
  const { outputs, endings } = made;
  if (outputs.length === 1) return [out];
  return outputs.map((_, i) =>
    endings === undefined
      ? partPath(out, i)
      : i === 0
      ? out
      : stemPath(out) + endings[i]
  );
}
