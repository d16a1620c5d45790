/**
 * Materials of a Source model: mesh material → skin table → texture, and what a level of detail puts in its place.
 *
 * @module
 */
import type { MeshVariant } from "../../core/mesh.ts";
import type { Mdl, MdlMesh, SourceModel } from "./types.ts";

/**
 * Row of the texture table that a skin family gives a mesh. A number outside the table stands for itself, or for 0.
 *
 * @param family Number of the family; 0 is the default, and need not be the identity.
 */
export function textureOf(mdl: Mdl, mesh: MdlMesh, family: number): number {
  const known = (t: number | undefined): t is number =>
    t !== undefined && t >= 0 && t < mdl.textures.length;
  const texture = mdl.skinFamilies[family]?.[mesh.material];
  return known(texture) ? texture : known(mesh.material) ? mesh.material : 0;
}

/** One material slot: the texture that every family puts into it. */
interface Slot {
  /** For sorting: textures in table order, then what levels of detail replace them with. */
  order: number;
  /** Name for every family. */
  names: string[];
}

/** Hands out material slots; two meshes share one when every family gives them the same texture. */
export class MaterialSlots {
  readonly #slots = new Map<string, Slot>();
  readonly #places = new Map<string, number>();
  readonly #families: number;

  /** @param model The model. */
  constructor(readonly model: SourceModel) {
    this.#families = Math.max(1, model.mdl.skinFamilies.length);
  }

  #slot(mesh: MdlMesh, level: number): [key: string, slot: Slot] {
    const { mdl, vtx } = this.model;
    const replaced = vtx?.materialReplacements[level] ?? [];
    let order = 0;
    const names = Array.from({ length: this.#families }, (_, family) => {
      const texture = textureOf(mdl, mesh, family);
      const other = replaced.find((r) => r.material === texture);
      if (family === 0) order = texture + (other ? mdl.textures.length : 0);
      return other?.name ?? mdl.textures[texture] ?? "";
    });
    return [JSON.stringify(names), { order, names }];
  }

  /** Notes that a mesh is drawn at a level. */
  use(mesh: MdlMesh, level: number): void {
    const [key, slot] = this.#slot(mesh, level);
    if (!this.#slots.has(key)) this.#slots.set(key, slot);
  }

  /** Numbers the slots that are used, and gives their names in a skin family and in all of them. */
  close(skin: number): { materials: string[]; variants: MeshVariant[] } {
    if (this.model.mdl.textures.length === 0) {
      return { materials: [], variants: [] };
    }
    const sorted = [...this.#slots].sort(([, a], [, b]) => a.order - b.order);
    sorted.forEach(([key], i) => this.#places.set(key, i));
    const of = (family: number) => sorted.map(([, s]) => s.names[family]);
    const families = sorted.length > 0 && this.#families > 1
      ? this.#families
      : 0;
    return {
      materials: of(Math.min(skin, this.#families - 1)),
      variants: Array.from({ length: families }, (_, f) => ({
        name: `skin${f}`,
        materials: of(f),
      })),
    };
  }

  /** Number of a mesh's slot at a level, once they are numbered. */
  place(mesh: MdlMesh, level: number): number {
    return this.#places.get(this.#slot(mesh, level)[0]) ?? 0;
  }
}
