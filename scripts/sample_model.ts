/**
 * The shipped Source model: a buoy in two skins and two levels of detail, on two bones, with a body group (light on, light
 * off) and a shape. The builder of the tests writes its files, since no compiler runs here.
 */
import { sinCosDegrees } from "../src/core/matrix.ts";
import {
  buildFixture,
  type Fixture,
  type MeshSpec,
  type VertexSpec,
} from "../tests/mdl/build_fixture.ts";

const SEGMENTS = 16;
const CHECKSUM = 0x0b0e0b0e;

/**
 * A surface of revolution about Source's up axis, in inches. Every second segment survives to LOD 1.
 *
 * @param profile Radius and height of each ring, from the bottom up.
 * @param bones Weights of a vertex by its height.
 */
function turn(
  profile: readonly (readonly [radius: number, height: number])[],
  bones: (height: number) => VertexSpec["bones"] & object,
): { vertices: VertexSpec[]; triangles: number[][] } {
  const rings = profile.length;
  const all: (VertexSpec & { ring: number; segment: number })[] = [];
  profile.forEach(([radius, height], ring) => {
    const before = profile[Math.max(0, ring - 1)];
    const after = profile[Math.min(rings - 1, ring + 1)];
    // the profile's outward normal: its direction turned by a quarter
    const [dr, dh] = [after[0] - before[0], after[1] - before[1]];
    const length = Math.sqrt(dr * dr + dh * dh);
    for (let segment = 0; segment <= SEGMENTS; segment++) {
      const [sin, cos] = sinCosDegrees(segment * 360 / SEGMENTS);
      all.push({
        ring,
        segment,
        position: [radius * cos, radius * sin, height],
        normal: [dh * cos / length, dh * sin / length, -dr / length],
        uv: [segment / SEGMENTS, 1 - ring / (rings - 1)],
        // +u runs against the clock seen from above, v downwards: a Source sign of -1
        tangent: [-sin, cos, 0, -1],
        bones: bones(height),
        lod: segment % 2 === 0 ? 1 : 0,
      });
    }
  });
  const vertices = all.toSorted((a, b) => b.lod! - a.lod!);
  const place = new Map(
    vertices.map((v, i) => [v.ring * (SEGMENTS + 1) + v.segment, i]),
  );
  const triangles = [1, 2].map((step) => {
    const out: number[] = [];
    for (let ring = 0; ring + 1 < rings; ring++) {
      for (let s = 0; s < SEGMENTS; s += step) {
        const [a, b, c, d] = [[0, 0], [0, step], [1, step], [1, 0]].map(
          ([up, along]) => place.get((ring + up) * (SEGMENTS + 1) + s + along)!,
        );
        // clockwise from outside; rings of radius 0 have no area on one side
        if (profile[ring][0] > 0) out.push(a, c, b);
        if (profile[ring + 1][0] > 0) out.push(a, d, c);
      }
    }
    return out;
  });
  return { vertices, triangles };
}

/** Builds the model. */
export function buoy(): Fixture {
  const hull = turn(
    [[0, 0], [9, 1], [12, 5], [12, 8], [9, 11], [0, 13.5]],
    () => [[0, 1]],
  );
  const mast = turn(
    [[2, 12], [1.5, 20], [1, 30], [0, 30.5]],
    (height) =>
      height < 15 ? [[0, 1]] : height < 25 ? [[0, 0.5], [1, 0.5]] : [[1, 1]],
  );
  const lamp = (radius: number): MeshSpec => ({
    material: 1,
    ...turn(
      [[0, 30], [radius, 31], [radius, 33], [0, 34.5]],
      () => [[1, 1]],
    ),
  });
  const swell = hull.vertices.flatMap((v, vertex) => {
    const [x, y, z] = v.position;
    return z >= 5 && z <= 8
      ? [{ vertex, delta: [x / 4, y / 4, 0] as const }]
      : [];
  });
  return buildFixture({
    name: "props\\buoy.mdl",
    checksum: CHECKSUM,
    lods: 2,
    switchPoints: [0, 30],
    textures: ["buoy_red", "lamp", "buoy_green"],
    texturePaths: ["models\\props\\"],
    skins: [[0, 1], [2, 1]],
    flexDescs: ["swell"],
    bones: [
      { name: "hull" },
      {
        name: "mast",
        parent: 0,
        position: [0, 0, 15],
        poseToBone: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -15],
      },
    ],
    bodyParts: [
      {
        name: "body",
        models: [{
          name: "hull.smd",
          meshes: [
            { ...hull, flexes: [{ desc: 0, entries: swell }] },
            { ...mast },
          ],
        }],
      },
      {
        name: "light",
        models: [
          { name: "lamp_on.smd", meshes: [lamp(2.5)] },
          { name: "lamp_small.smd", meshes: [lamp(1.5)] },
          { name: "", meshes: [] },
        ],
      },
    ],
  });
}
