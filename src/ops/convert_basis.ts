/**
 * Moves a mesh from one format's axes, unit, winding and texture convention to another's.
 *
 * @module
 */
import {
  type AxisMap,
  type BasisChange,
  basisChange,
  type BasisId,
} from "../core/basis.ts";
import { type Mesh, type MeshJoint, reverseWinding } from "../core/mesh.ts";

/** Options of {@linkcode convertBasis}. */
export interface ConvertBasisOptions {
  /** Metres in one Source unit in place of 0.0254, where one side is in Source units; else a factor. */
  unit?: number;
}

const isIdentity = (map: AxisMap) =>
  map.axis.every((a, i) => a === i) && map.sign.every((s) => s === 1);

/** Permutes and scales vectors of `width` numbers; numbers past the third stay. With scale 1 there and back keeps the bits. */
function mapVectors(
  values: Float32Array,
  width: number,
  axes: AxisMap,
  scale: number,
): Float32Array {
  const out = values.slice();
  const [i, j, k] = axes.axis;
  const [a, b, c] = axes.sign.map((s) => s * scale);
  for (let v = 0; v < values.length; v += width) {
    out[v] = a * values[v + i];
    out[v + 1] = b * values[v + j];
    out[v + 2] = c * values[v + k];
  }
  return out;
}

function mapTriple(
  t: readonly [number, number, number],
  axes: AxisMap,
  scale: number,
): [number, number, number] {
  return axes.axis.map((a, i) => axes.sign[i] * scale * t[a]) as [
    number,
    number,
    number,
  ];
}

/** A joint's local transform under x' = s · P x: P · R · P⁻¹ turns about det(P) · P a by the same angle. */
function mapJoint(joint: MeshJoint, change: BasisChange): MeshJoint {
  const { axes, scale, determinant } = change;
  const [x, y, z, w] = joint.rotation;
  const axis = mapTriple([x, y, z], axes, determinant);
  const out: MeshJoint = {
    name: joint.name,
    parent: joint.parent,
    translation: mapTriple(joint.translation, axes, scale).map(
      Math.fround,
    ) as MeshJoint["translation"],
    rotation: [...axis, w],
    scale: axes.axis.map((a) => joint.scale[a]) as MeshJoint["scale"],
  };
  if (joint.rotationDeg && isIdentity(axes)) {
    out.rotationDeg = joint.rotationDeg;
  }
  if (joint.inverseBind) {
    const m = joint.inverseBind;
    const r = new Float32Array(16);
    for (let c = 0; c < 3; c++) {
      for (let row = 0; row < 3; row++) {
        r[c * 4 + row] = axes.sign[row] * axes.sign[c] *
          m[axes.axis[c] * 4 + axes.axis[row]];
      }
    }
    const t = mapTriple([m[12], m[13], m[14]], axes, scale);
    r.set(t, 12);
    r[15] = 1;
    out.inverseBind = r;
  }
  return out;
}

/**
 * Moves a mesh to another convention: positions by axes and unit, directions by axes, morph deltas by the linear part,
 * tangent signs and triangle order as the conventions demand, v flipped where the origin moves. Directions keep their
 * length and bits.
 *
 * @param mesh Any mesh.
 * @param to Target convention.
 * @returns The mesh, and what was done.
 *
 * @example
 * ```ts
 * import { readVvd, vvdToMesh } from "@meshwright/kit/vvd";
 * import { convertBasis } from "@meshwright/kit/ops";
 *
 * const mesh = vvdToMesh(readVvd(Deno.readFileSync("samples/lantern.vvd")), 0);
 * const { mesh: metres, change } = convertBasis(mesh, "gltf");
 * console.log(metres.basis, change.scale); // gltf 0.0254
 * ```
 */
export function convertBasis(
  mesh: Mesh,
  to: BasisId,
  options: ConvertBasisOptions = {},
): { mesh: Mesh; change: BasisChange } {
  const change = basisChange(mesh.basis, to, options.unit);
  const { axes, scale } = change;
  if (
    isIdentity(axes) && scale === 1 && !change.uvFlipped &&
    !change.windingReversed && change.tangentSign === 1
  ) return { mesh: { ...mesh, basis: to }, change };

  const a = mesh.attributes;
  const attributes = {
    ...a,
    position: mapVectors(a.position, 3, axes, scale),
  };
  if (a.normal) attributes.normal = mapVectors(a.normal, 3, axes, 1);
  if (a.tangent) {
    const tangent = mapVectors(a.tangent, 4, axes, 1);
    if (change.tangentSign < 0) {
      for (let i = 3; i < tangent.length; i += 4) tangent[i] = -tangent[i];
    }
    attributes.tangent = tangent;
  }
  if (change.uvFlipped) {
    attributes.uvs = a.uvs.map((uv) => uv.map((x, i) => i % 2 ? 1 - x : x));
  }
  return {
    mesh: {
      ...mesh,
      basis: to,
      attributes,
      lods: mesh.lods.map((lod) => {
        const turned = change.windingReversed ? reverseWinding(lod) : lod;
        return {
          ...turned,
          switchDistance: lod.switchDistance === null
            ? null
            : Math.fround(lod.switchDistance * scale),
        };
      }),
      morphs: mesh.morphs
        ? {
          ...mesh.morphs,
          position: mapVectors(mesh.morphs.position, 3, axes, scale),
          normal: mesh.morphs.normal
            ? mapVectors(mesh.morphs.normal, 3, axes, 1)
            : null,
        }
        : null,
      skeleton: mesh.skeleton?.map((j) => mapJoint(j, change)) ?? null,
      // the grid keeps its own axes in every convention, but not its unit
      heightfield: mesh.heightfield && {
        ...mesh.heightfield,
        heights: mesh.heightfield.heights.map((h) => h * scale),
      },
    },
    change,
  };
}
