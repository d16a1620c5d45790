/**
 * Finds out whether a VTX has small (25/27) or large (33/35) strip headers. No field says so; the places of the arrays do.
 *
 * The file is walked once for each layout. A walk that leaves the file, meets a count below zero or an index past its group
 * is out. Of two walks that hold, the one whose arrays do not overlap wins: headers that are taken for larger than they are
 * run into what follows. If neither overlaps, the one that explains more bytes wins: headers that are taken for smaller
 * leave eight bytes behind each run. With one strip group and one strip a mesh both give the same triangles.
 *
 * @module
 */
import { INDEX_BYTES } from "./vtx_sizes.ts";
import { Tables } from "./tables.ts";
import type { VtxLayout } from "./types.ts";
import {
  BODY_PART_BYTES,
  BONE_CHANGE_BYTES,
  HEADER_BYTES,
  LAYOUT_BYTES,
  LOD_BYTES,
  MESH_BYTES,
  MODEL_BYTES,
  VERTEX_BYTES,
} from "./vtx_sizes.ts";

/** Result of one walk. */
interface Walk {
  /** False when the layout can not be this one. */
  holds: boolean;
  /** Strip groups walked before it ended. */
  groups: number;
  /** Bytes that two different arrays claim. */
  overlap: number;
  /** Bytes that some array claims. */
  explained: number;
}

/** Thrown inside a walk; never leaves this module. */
class WalkFailed extends Error {}

/** Collects the byte ranges of all arrays; the same array met twice counts once. */
class Extents {
  /** For every kind the arrays by their start. */
  readonly #seen = new Map<string, Map<number, number>>();
  readonly #list: [start: number, end: number][] = [];

  /** True when the array is new. */
  add(kind: string, start: number, count: number, size: number): boolean {
    if (count === 0) return false;
    let starts = this.#seen.get(kind);
    if (!starts) this.#seen.set(kind, starts = new Map());
    if (starts.get(start) === count) return false;
    starts.set(start, count);
    this.#list.push([start, start + count * size]);
    return true;
  }

  /** Bytes claimed once at least, and bytes claimed again. */
  measure(): { explained: number; overlap: number } {
    let [explained, overlap, end] = [0, 0, 0];
    for (const [a, b] of this.#list.sort((x, y) => x[0] - y[0])) {
      overlap += Math.max(0, Math.min(b, end) - a);
      explained += Math.max(0, b - Math.max(a, end));
      end = Math.max(end, b);
    }
    return { explained, overlap };
  }
}

function walk(bytes: Uint8Array, layout: VtxLayout): Walk {
  const t = new Tables(bytes, "VTX", {
    count: "VTX-COUNT",
    range: "VTX-RANGE",
    work: "VTX-WORK",
    // arrays are walked once, however often they are shared: they add up to the file
  }, 2);
  const { group: groupBytes, strip: stripBytes } = LAYOUT_BYTES[layout];
  const extents = new Extents();
  let groups = 0;
  /** Start of an array that fits the file; −1 when it was walked before. */
  const array = (
    kind: string,
    start: number,
    count: number,
    size: number,
  ): number => {
    if (
      count < 0 ||
      (count > 0 && (start < 0 || start + count * size > bytes.length))
    ) throw new WalkFailed();
    return extents.add(kind, start, count, size) ? start : -1;
  };
  /** Walks the records of a nested table that is new. */
  const each = (
    kind: string,
    base: number,
    size: number,
    visit: (at: number) => void,
  ) => {
    const count = t.i32(base);
    const start = array(kind, base + t.i32(base + 4), count, size);
    if (start < 0) return;
    t.spend(count * size, base);
    for (let i = 0; i < count; i++) visit(start + i * size);
  };
  const strip = (at: number, numIndices: number) => {
    const [count, offset] = [t.i32(at), t.i32(at + 4)];
    if (
      count < 0 || (count > 0 && (offset < 0 || offset + count > numIndices))
    ) {
      throw new WalkFailed();
    }
    const changes = t.i32(at + 19);
    array("bones", at + t.i32(at + 23), changes, BONE_CHANGE_BYTES);
    if (layout === "33/35") topology(at + 27, at);
  };
  /** Subdivision data that nothing here reads: it explains bytes where it fits, and rules out nothing. */
  const topology = (field: number, base: number) => {
    const [count, start] = [t.i32(field), base + t.i32(field + 4)];
    if (
      count > 0 && start >= HEADER_BYTES &&
      start + count * INDEX_BYTES <= bytes.length
    ) extents.add("topology", start, count, INDEX_BYTES);
  };
  const stripGroup = (at: number) => {
    groups++;
    const [numVerts, numIndices, numStrips] = [0, 8, 16].map((k) =>
      t.i32(at + k)
    );
    array("vertices", at + t.i32(at + 4), numVerts, VERTEX_BYTES);
    const start = at + t.i32(at + 12);
    if (array("indices", start, numIndices, INDEX_BYTES) >= 0) {
      t.spend(numIndices * INDEX_BYTES, at);
      for (let i = 0; i < numIndices; i++) {
        if (t.u16(start + i * INDEX_BYTES) >= numVerts) throw new WalkFailed();
      }
    }
    const strips = array("strips", at + t.i32(at + 20), numStrips, stripBytes);
    if (strips >= 0) {
      t.spend(numStrips * stripBytes, at);
      for (let i = 0; i < numStrips; i++) {
        strip(strips + i * stripBytes, numIndices);
      }
    }
    if (layout === "33/35") topology(at + 25, at);
  };

  let holds = true;
  try {
    extents.add("header", 0, 1, HEADER_BYTES);
    each28(
      t,
      array,
      (part) =>
        each(
          "models",
          part,
          MODEL_BYTES,
          (model) =>
            each("lods", model, LOD_BYTES, (lod) =>
              each("meshes", lod, MESH_BYTES, (mesh) =>
                each("groups", mesh, groupBytes, stripGroup))),
        ),
    );
  } catch (error) {
    // a budget that ran out is a MeshError: such a file is refused by the reader, with its reason
    if (error instanceof RangeError || error instanceof WalkFailed) {
      holds = false;
    } else throw error;
  }
  return { holds, groups, ...extents.measure() };
}

/** The body parts stand where the header says, not behind a number of their own. */
function each28(
  t: Tables,
  array: (kind: string, start: number, count: number, size: number) => number,
  visit: (at: number) => void,
): void {
  const count = t.i32(28);
  const start = array("parts", t.i32(32), count, BODY_PART_BYTES);
  for (let i = 0; start >= 0 && i < count; i++) {
    visit(start + i * BODY_PART_BYTES);
  }
}

/**
 * The layout of a VTX, or the likelier one where the file fits neither, so that reading it names what is wrong.
 *
 * @param bytes A VTX with a whole header.
 */
export function findLayout(bytes: Uint8Array): VtxLayout {
  const small = walk(bytes, "25/27");
  const large = walk(bytes, "33/35");
  const pick = (isLarge: boolean): VtxLayout => isLarge ? "33/35" : "25/27";
  if (small.holds !== large.holds) return pick(large.holds);
  // both fail: the wrong one usually fails first
  if (!small.holds) return pick(large.groups > small.groups);
  if (small.overlap !== large.overlap) {
    return pick(large.overlap < small.overlap);
  }
  return pick(large.explained > small.explained);
}
