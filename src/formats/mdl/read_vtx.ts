/**
 * Reads VTX version 7. Integers are little-endian and packed; offsets count from the record that holds them, the header's
 * from the start of the file.
 *
 * | record       | size     | fields                                                                                      |
 * | ------------ | -------- | ------------------------------------------------------------------------------------------- |
 * | header       | 36       | version 0, vertCacheSize 4, u16 maxBonesPerStrip 8, u16 maxBonesPerTri 10, maxBonesPerVert   |
 * |              |          | 12, checkSum 16, numLODs 20, materialReplacementListOffset 24, numBodyParts 28, offset 32    |
 * | body part    | 8        | numModels 0, offset 4                                                                       |
 * | model        | 8        | numLODs 0, offset 4                                                                         |
 * | model LOD    | 12       | numMeshes 0, offset 4, f32 switchPoint 8                                                    |
 * | mesh         | 9        | numStripGroups 0, offset 4, u8 flags 8                                                      |
 * | strip group  | 25 or 33 | numVerts 0, offset 4, numIndices 8, offset 12, numStrips 16, offset 20, u8 flags 24,        |
 * |              |          | and in the large form numTopologyIndices 25, offset 29                                      |
 * | strip        | 27 or 35 | numIndices 0, indexOffset 4, numVerts 8, vertOffset 12, i16 numBones 16, u8 flags 18,       |
 * |              |          | numBoneStateChanges 19, offset 23, and in the large form numTopologyIndices 27, offset 31   |
 * | vertex       | 9        | u8 boneWeightIndex[3] 0, u8 numBones 3, u16 origMeshVertID 4, i8 boneID[3] 6                |
 * | replacements | 8        | number 0, offset 4; one list a LOD                                                          |
 * | replacement  | 6        | i16 materialID 0, i32 nameOffset 2                                                          |
 *
 * No field says whether the small or the large form is used, and the MDL's version does not either: see `vtx_layout.ts`.
 * A strip's own offsets are numbers of elements in its group's arrays.
 *
 * @module
 */
import type { Code } from "../../core/codes.ts";
import { meshError } from "../../core/errors.ts";
import { checkLimit, withLimits } from "../../core/limits.ts";
import type { ReadSourceFileOptions } from "./read_mdl.ts";
import { isLfsPointer, isZero, Tables } from "./tables.ts";
import {
  type Vtx,
  VTX_VERSION,
  type VtxLayout,
  type VtxLod,
  type VtxMesh,
  type VtxStrip,
  type VtxStripGroup,
} from "./types.ts";
import { findLayout } from "./vtx_layout.ts";
import {
  BODY_PART_BYTES,
  HEADER_BYTES,
  INDEX_BYTES,
  LAYOUT_BYTES,
  LOD_BYTES,
  MAX_LODS,
  MESH_BYTES,
  MODEL_BYTES,
  REPLACEMENT_BYTES,
  REPLACEMENT_LIST_BYTES,
  VERTEX_BYTES,
} from "./vtx_sizes.ts";

function fail(code: Code, message: string, found: unknown): never {
  throw meshError(code, message, {
    format: "mdl",
    offset: 0,
    found,
    allowed: VTX_VERSION,
  });
}

/** Refuses what is not a VTX of version 7. The file has no magic but its version. */
function checkHeader(t: Tables): void {
  const { bytes } = t;
  if (bytes.length === 0) {
    fail("VTX-EMPTY", "Extract the file again: it is empty", "0 bytes");
  }
  if (isZero(bytes)) {
    fail(
      "VTX-ZERO",
      "Extract the file again: it holds only zero bytes",
      "zero bytes",
    );
  }
  if (isLfsPointer(bytes)) {
    fail(
      "VTX-LFS-POINTER",
      "Fetch the real file with `git lfs pull`: this is a Git LFS pointer text",
      "Git LFS pointer",
    );
  }
  if (bytes.length < HEADER_BYTES) {
    throw meshError(
      "VTX-TRUNCATED",
      `Give the whole file: the header takes ${HEADER_BYTES} bytes, the file has ${bytes.length}`,
      {
        format: "mdl",
        offset: bytes.length,
        found: bytes.length,
        allowed: HEADER_BYTES,
      },
    );
  }
  const version = t.i32(0);
  if (version === VTX_VERSION) return;
  if (version === VTX_VERSION << 24) {
    fail(
      "VTX-BIG-ENDIAN",
      "Use the PC version of the model: this is a big-endian console file",
      version,
    );
  }
  // the first byte lost: the version's zeros move forward and the cache size follows
  if ((version & 0xffffff) === 0 && t.i32(3) < 1024 && t.i32(3) > 0) {
    fail(
      "VTX-SHIFTED",
      "Extract the file again: its first byte is lost",
      version,
    );
  }
  const known: Record<number, string> = {
    6: "this is an index file of the Half-Life 2 beta",
    107: "this is an index file of Vampire: Bloodlines",
  };
  throw meshError(
    "VTX-VERSION",
    `Use a model of a game from Half-Life 2 to Counter-Strike: Global Offensive: the version is ${version}, ${
      known[version] ?? "which no known game writes"
    }`,
    {
      format: "mdl",
      offset: 0,
      path: "version",
      found: version,
      allowed: VTX_VERSION,
    },
  );
}

/** A table that was read. */
interface Known {
  list: unknown[];
  bytes: number;
}

/** Reads the tables of a file whose layout is known. Tables that several levels share are read once. */
class VtxReader {
  /** For every kind of table those that were read, by their start, with the bytes that all they hold refers to. */
  readonly #known = new Map<string, Map<number, Known>>();
  readonly #sizes: { group: number; strip: number };

  constructor(readonly t: Tables, readonly layout: VtxLayout) {
    this.#sizes = LAYOUT_BYTES[layout];
  }

  #list<T>(
    field: string,
    base: number,
    size: number,
    read: (at: number) => T,
  ): T[] {
    const count = this.t.i32(base);
    const start = this.t.table(
      field,
      base,
      base + this.t.i32(base + 4),
      count,
      size,
    );
    let lists = this.#known.get(field);
    if (!lists) this.#known.set(field, lists = new Map());
    const known = lists.get(start);
    if (known?.list.length === count) {
      // every use is drawn, so every use counts
      this.t.spend(known.bytes, base);
      return known.list as T[];
    }
    const before = this.t.left;
    const list = Array.from(
      { length: count },
      (_, i) => read(start + i * size),
    );
    lists.set(start, { list, bytes: before - this.t.left });
    return list;
  }

  bodyParts(): Vtx["bodyParts"] {
    const { t } = this;
    const count = t.i32(28);
    const start = t.table("body parts", 28, t.i32(32), count, BODY_PART_BYTES);
    return Array.from({ length: count }, (_, i) => ({
      models: this.#list(
        "models",
        start + i * BODY_PART_BYTES,
        MODEL_BYTES,
        (at) => ({
          lods: this.#list(
            "levels of a model",
            at,
            LOD_BYTES,
            (lod) => this.#lod(lod),
          ),
        }),
      ),
    }));
  }

  #lod(at: number): VtxLod {
    return {
      switchPoint: this.t.f32(at + 8),
      meshes: this.#list("meshes", at, MESH_BYTES, (mesh) => this.#mesh(mesh)),
    };
  }

  #mesh(at: number): VtxMesh {
    return {
      flags: this.t.u8(at + 8),
      stripGroups: this.#list(
        "strip groups",
        at,
        this.#sizes.group,
        (group) => this.#stripGroup(group),
      ),
    };
  }

  #stripGroup(at: number): VtxStripGroup {
    const { t } = this;
    const [numVerts, numIndices, numStrips] = [0, 8, 16].map((k) =>
      t.i32(at + k)
    );
    const vertices = t.table(
      "vertices of a strip group",
      at,
      at + t.i32(at + 4),
      numVerts,
      VERTEX_BYTES,
    );
    const indices = t.table(
      "indices of a strip group",
      at + 8,
      at + t.i32(at + 12),
      numIndices,
      INDEX_BYTES,
    );
    const strips = t.table(
      "strips",
      at + 16,
      at + t.i32(at + 20),
      numStrips,
      this.#sizes.strip,
    );
    const group: VtxStripGroup = {
      flags: t.u8(at + 24),
      vertices: new Uint16Array(numVerts),
      indices: new Uint16Array(numIndices),
      strips: [],
    };
    for (let i = 0; i < numVerts; i++) {
      group.vertices[i] = t.u16(vertices + i * VERTEX_BYTES + 4);
    }
    for (let i = 0; i < numIndices; i++) {
      const index = t.u16(indices + i * INDEX_BYTES);
      if (index >= numVerts) {
        throw meshError(
          "VTX-INDEX-RANGE",
          `Use the VTX that was compiled with this model: an index names vertex ${index} of a strip group of ${numVerts}`,
          {
            format: "mdl",
            offset: indices + i * INDEX_BYTES,
            found: index,
            allowed: `< ${numVerts}`,
          },
        );
      }
      group.indices[i] = index;
    }
    for (let i = 0; i < numStrips; i++) {
      group.strips.push(this.#strip(strips + i * this.#sizes.strip, group));
    }
    return group;
  }

  #strip(at: number, group: VtxStripGroup): VtxStrip {
    const { t } = this;
    const strip: VtxStrip = {
      indexCount: t.i32(at),
      indexOffset: t.i32(at + 4),
      flags: t.u8(at + 18),
    };
    if (strip.indexCount < 0) {
      throw meshError(
        "VTX-COUNT",
        `Extract the file again: the VTX counts ${strip.indexCount} indices of a strip`,
        { format: "mdl", offset: at, found: strip.indexCount, allowed: ">= 0" },
      );
    }
    const end = strip.indexOffset + strip.indexCount;
    if (
      strip.indexCount > 0 &&
      (strip.indexOffset < 0 || end > group.indices.length)
    ) {
      throw meshError(
        "VTX-RANGE",
        `Use the VTX that was compiled with this model: a strip takes indices ${strip.indexOffset} to ${end}, its group has ${group.indices.length}`,
        {
          format: "mdl",
          offset: at,
          found: strip.indexOffset < 0 ? strip.indexOffset : end,
          allowed: `0 to ${group.indices.length}`,
        },
      );
    }
    // strips may overlap, and each draws its own triangles
    t.spend(strip.indexCount * INDEX_BYTES, at);
    const tail = strip.indexCount % (strip.flags & 6 ? 1 : 3);
    if (tail > 0) {
      t.note(
        "VTX-INDEX-TAIL",
        `byte ${at}`,
        `Compile the model again: a strip of ${strip.indexCount} indices makes no whole triangles; the last ${tail} are left out`,
        strip.indexCount,
        "a multiple of 3",
      );
    }
    return strip;
  }

  /** Texture replacements of every LOD. They are optional: what can not be read is left out with a note. */
  materialReplacements(numLODs: number): Vtx["materialReplacements"] {
    const { t } = this;
    const { length } = t.bytes;
    const start = t.i32(24);
    const fits = (at: number, count: number, size: number) =>
      count >= 0 && at >= HEADER_BYTES && at + count * size <= length;
    const skip = (at: number, what: string, found: number) => {
      t.note(
        "VTX-MATERIAL-LIST",
        `byte ${at}`,
        `Nothing to do unless materials look wrong: ${what} lies outside the file and is left out`,
        found,
        `< ${length}`,
      );
    };
    const none: Vtx["materialReplacements"] = Array.from(
      { length: numLODs },
      () => [],
    );
    if (start === 0) return none;
    if (!fits(start, numLODs, REPLACEMENT_LIST_BYTES)) {
      skip(24, "the list of material replacements", start);
      return none;
    }
    return none.map((list, lod) => {
      const at = start + lod * REPLACEMENT_LIST_BYTES;
      const count = t.i32(at);
      const first = at + t.i32(at + 4);
      if (count === 0) return list;
      if (!fits(first, count, REPLACEMENT_BYTES)) {
        skip(at, `the material replacements of LOD ${lod}`, count);
        return list;
      }
      t.spend(count * REPLACEMENT_BYTES, at);
      for (let i = 0; i < count; i++) {
        const entry = first + i * REPLACEMENT_BYTES;
        const name = t.text(entry + t.i32(entry + 2));
        if (name === null) {
          skip(entry, "a replacement's name", t.i32(entry + 2));
        } else list.push({ material: t.i16(entry), name });
      }
      return list;
    });
  }
}

/**
 * Reads a VTX file of either layout.
 *
 * @param bytes The whole file.
 * @throws {MeshError} VTX-EMPTY, VTX-ZERO, VTX-LFS-POINTER, VTX-BIG-ENDIAN, VTX-SHIFTED, VTX-VERSION, VTX-TRUNCATED,
 * VTX-LOD-COUNT, VTX-COUNT, VTX-RANGE, VTX-INDEX-RANGE, VTX-WORK, LIMIT-EXCEEDED.
 *
 * @example
 * ```ts
 * import { MeshError } from "@meshwright/kit";
 * import { readVtx } from "@meshwright/kit/mdl";
 *
 * try {
 *   readVtx(Uint8Array.of(107, 0, 0, 0, ...new Uint8Array(32)));
 * } catch (error) {
 *   if (!(error instanceof MeshError)) throw error;
 *   console.log(error.code); // VTX-VERSION
 * }
 * ```
 */
export function readVtx(
  bytes: Uint8Array,
  options: ReadSourceFileOptions = {},
): Vtx {
  const limits = withLimits(options.limits);
  checkLimit("maxInputBytes", bytes.length, limits.maxInputBytes, "mdl");
  const t = new Tables(bytes, "VTX", {
    count: "VTX-COUNT",
    range: "VTX-RANGE",
    work: "VTX-WORK",
  });
  checkHeader(t);
  const numLODs = t.i32(20);
  if (numLODs < 1 || numLODs > MAX_LODS) {
    throw meshError(
      "VTX-LOD-COUNT",
      `Compile the model again: the VTX has ${numLODs} LODs, allowed is 1 to ${MAX_LODS}`,
      {
        format: "mdl",
        offset: 20,
        path: "numLODs",
        found: numLODs,
        allowed: `1 to ${MAX_LODS}`,
      },
    );
  }
  const reader = new VtxReader(t, findLayout(bytes));
  return {
    version: VTX_VERSION,
    checksum: t.i32(16) >>> 0,
    numLODs,
    layout: reader.layout,
    materialReplacements: reader.materialReplacements(numLODs),
    bodyParts: reader.bodyParts(),
    notes: t.notes,
  };
}
