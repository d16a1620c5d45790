import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  axesDeterminant,
  type AxisMap,
  BASES,
  type BasisChange,
  basisChange,
  type BasisId,
  composeAxes,
  invertAxes,
} from "../../src/core/basis.ts";
import { Random } from "../random.ts";

type Vector = [number, number, number];

const IDS = Object.keys(BASES) as BasisId[];

/** A linear map written as three rows, to compare with. */
function rowsOf(map: AxisMap): number[][] {
  return [0, 1, 2].map((i) => {
    const row = [0, 0, 0];
    row[map.axis[i]] = map.sign[i];
    return row;
  });
}

const times = (rows: number[][], v: readonly number[]) =>
  rows.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) as Vector;

const position = (change: BasisChange, v: readonly number[]) =>
  times(rowsOf(change.axes), v).map((x) => x * change.scale) as Vector;

const cross = (a: readonly number[], b: readonly number[]): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: readonly number[], b: readonly number[]) =>
  a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: readonly number[], b: readonly number[]): Vector => [
  a[0] - b[0],
  a[1] - b[1],
  a[2] - b[2],
];

/** The table of the contract, row by row. */
const ROWS: {
  from: BasisId;
  to: BasisId;
  move: (x: number, y: number, z: number) => number[];
  reversed: boolean;
  flipsV?: boolean;
}[] = [
  {
    from: "source",
    to: "gltf",
    move: (x, y, z) => [0.0254 * x, 0.0254 * z, -0.0254 * y],
    reversed: true,
  },
  {
    from: "source",
    to: "payload",
    move: (x, y, z) => [0.0254 * x, 0.0254 * z, -0.0254 * y],
    reversed: true,
  },
  {
    from: "gltf",
    to: "css",
    move: (x, y, z) => [100 * x, 100 * z, 100 * y],
    reversed: false,
  },
  {
    from: "source",
    to: "css",
    move: (x, y, z) => [2.54 * x, -2.54 * y, 2.54 * z],
    reversed: true,
  },
  {
    from: "payload",
    to: "gltf",
    move: (x, y, z) => [x, y, z],
    reversed: false,
  },
  {
    from: "gltf",
    to: "payload",
    move: (x, y, z) => [x, y, z],
    reversed: false,
  },
  {
    from: "payload",
    to: "css",
    move: (x, y, z) => [100 * x, 100 * z, 100 * y],
    reversed: false,
  },
  {
    from: "css",
    to: "gltf",
    move: (x, y, z) => [x / 100, z / 100, y / 100],
    reversed: false,
  },
  {
    from: "css",
    to: "payload",
    move: (x, y, z) => [x / 100, z / 100, y / 100],
    reversed: false,
  },
  {
    from: "blender",
    to: "css",
    move: (x, y, z) => [100 * x, -100 * y, 100 * z],
    reversed: false,
    flipsV: true,
  },
];

for (const { from, to, move, reversed, flipsV = false } of ROWS) {
  Deno.test(`basisChange() follows the contract when ${from} becomes ${to}`, () => {
    const change = basisChange(from, to);
    const random = new Random(31);
    for (let i = 0; i < 50; i++) {
      const p = [0, 1, 2].map(() => random.between(-100, 100)) as Vector;
      const want = move(...p);
      position(change, p).forEach((x, k) =>
        assertAlmostEquals(x, want[k], 1e-10)
      );
    }
    assertEquals(change.windingReversed, reversed);
    assertEquals(change.uvFlipped, flipsV);
    // the determinant of the row itself, from what it does to the three axes
    const [a, b, c] = [move(1, 0, 0), move(0, 1, 0), move(0, 0, 1)];
    assertEquals(change.determinant, Math.sign(dot(cross(a, b), c)));
    assertEquals([change.from, change.to], [from, to]);
  });
}

Deno.test("basisChange() has scales that decimals write exactly", () => {
  assertEquals(basisChange("source", "gltf").scale, 0.0254);
  assertEquals(basisChange("source", "css").scale, 2.54);
  assertEquals(basisChange("gltf", "css").scale, 100);
  assertEquals(basisChange("css", "gltf").scale, 0.01);
  assertEquals(basisChange("payload", "gltf").scale, 1);
});

Deno.test("basisChange() takes the unit in place of a Source inch and as a factor elsewhere", () => {
  assertEquals(basisChange("source", "gltf", 0.01905).scale, 0.01905);
  assertEquals(basisChange("source", "css", 0.01905).scale, 1.905);
  assertEquals(basisChange("source", "gltf", 1).scale, 1);
  assertEquals(basisChange("gltf", "css", 2).scale, 200);
  assertEquals(basisChange("css", "gltf", 2).scale, 0.02);
  assertEquals(basisChange("payload", "gltf", 0.5).scale, 0.5);
  assertEquals(basisChange("source", "css", 0.07).scale, 7);
  // towards Source the same unit is divided by
  assertEquals(basisChange("gltf", "source").scale, 39.3700787401575);
  assertEquals(basisChange("gltf", "source", 0.02).scale, 50);
  assertEquals(basisChange("css", "source", 0.02).scale, 0.5);
  assertEquals(basisChange("payload", "smd", 0.5).scale, 2);
  // no unit of Source, or two of them
  assertEquals(basisChange("source", "source", 2).scale, 2);
  assertEquals(basisChange("source", "smd", 2).scale, 2);
});

/** What the contract's table of conventions says in numbers: the outward normal of a stored triangle. */
const OUTWARD: Record<BasisId, (a: Vector, b: Vector, c: Vector) => Vector> = {
  gltf: (a, b, c) => cross(minus(b, a), minus(c, a)), // right-handed, counter-clockwise
  payload: (a, b, c) => cross(minus(b, a), minus(c, a)), // shares glTF's order
  source: (a, b, c) => cross(minus(c, a), minus(b, a)), // right-handed, clockwise
  css: (a, b, c) => cross(minus(c, a), minus(b, a)), // stated so
  blender: (a, b, c) => cross(minus(b, a), minus(c, a)), // right-handed, counter-clockwise
  obj: (a, b, c) => cross(minus(b, a), minus(c, a)), // right-handed, counter-clockwise
  smd: (a, b, c) => cross(minus(b, a), minus(c, a)), // studiomdl reverses into Source's order
};

Deno.test("basisChange() keeps the outside of every triangle outside", () => {
  const random = new Random(32);
  for (const from of IDS) {
    for (const to of IDS) {
      const change = basisChange(from, to);
      for (let i = 0; i < 20; i++) {
        const corners = [0, 1, 2].map(() => random.unitVector()) as [
          Vector,
          Vector,
          Vector,
        ];
        const outside = OUTWARD[from](...corners);
        if (Math.hypot(...outside) < 1e-3) continue;
        const moved = corners.map((p) => position(change, p));
        if (change.windingReversed) moved.reverse();
        const [a, b, c] = moved;
        // a direction goes by the rotation or mirror alone
        const expected = times(rowsOf(change.axes), outside);
        assert(
          dot(OUTWARD[to](a, b, c), expected) > 0,
          `${from} to ${to} turns a triangle inside out`,
        );
      }
    }
  }
});

/** Where w · cross(N, T) points: +1 with the image's upward direction, −1 against it (contract, column "tangent sign"). */
const BITANGENT_UP: Record<BasisId, 1 | -1> = {
  gltf: 1, // towards up in the image
  source: -1, // follows +v of the stored v, which counts downwards
  // these store no sign; one that a mesh carries in their axes means what glTF's means
  payload: 1,
  css: 1,
  blender: 1,
  obj: 1,
  smd: 1,
};

/** v of a stored texture coordinate grows upwards in the image only where its origin is at the bottom. */
const V_UP: Record<BasisId, 1 | -1> = {
  gltf: -1,
  payload: -1,
  source: -1,
  css: -1,
  blender: 1,
  obj: 1,
  smd: 1,
};

Deno.test("basisChange() keeps the bitangent's direction in the image", () => {
  const random = new Random(33);
  for (const from of IDS) {
    for (const to of IDS) {
      const change = basisChange(from, to);
      for (let i = 0; i < 20; i++) {
        // a flat patch: position = u · du + v · dv
        const du = random.unitVector();
        const dv = random.unitVector();
        const n = cross(du, dv);
        if (Math.hypot(...n) < 0.1) continue;
        if (random.below(2)) n.forEach((x, k) => n[k] = -x);
        const up = (id: BasisId, v: Vector) => v.map((x) => x * V_UP[id]);
        const raw = dot(cross(n, du), up(from, dv));
        const w = Math.sign(raw) * BITANGENT_UP[from];

        const rows = rowsOf(change.axes);
        const [n2, du2] = [times(rows, n), times(rows, du)];
        const dv2 = times(rows, dv).map((x) =>
          change.uvFlipped ? -x : x
        ) as Vector;
        const w2 = w * change.tangentSign;
        const bitangent = cross(n2, du2).map((x) => x * w2);
        assertEquals(
          Math.sign(dot(bitangent, up(to, dv2))),
          BITANGENT_UP[to],
          `${from} to ${to}`,
        );
      }
    }
  }
});

Deno.test("basisChange() turns the tangent sign of a Source vertex around for glTF", () => {
  assertEquals(basisChange("source", "gltf").tangentSign, -1);
  assertEquals(basisChange("gltf", "source").tangentSign, -1);
  assertEquals(basisChange("payload", "gltf").tangentSign, 1);
});

Deno.test("basisChange() in two steps equals one step, for every three conventions", () => {
  for (const a of IDS) {
    for (const b of IDS) {
      for (const c of IDS) {
        const [ab, bc, ac] = [
          basisChange(a, b),
          basisChange(b, c),
          basisChange(a, c),
        ];
        const at = `${a}, ${b}, ${c}`;
        assertEquals(composeAxes(ab.axes, bc.axes), ac.axes, at);
        assertAlmostEquals(ab.scale * bc.scale / ac.scale, 1, 1e-12, at);
        assertEquals(ab.determinant * bc.determinant, ac.determinant, at);
        assertEquals(
          ab.windingReversed !== bc.windingReversed,
          ac.windingReversed,
          at,
        );
        assertEquals(ab.uvFlipped !== bc.uvFlipped, ac.uvFlipped, at);
        assertEquals(ab.tangentSign * bc.tangentSign, ac.tangentSign, at);
      }
    }
  }
});

Deno.test("basisChange() there and back changes nothing", () => {
  for (const a of IDS) {
    for (const b of IDS) {
      const [there, back] = [basisChange(a, b), basisChange(b, a)];
      const p: Vector = [1, -2, 3];
      position(back, position(there, p)).forEach((x, k) =>
        assertAlmostEquals(x, p[k], 1e-12)
      );
      assertEquals(there.windingReversed, back.windingReversed);
    }
    const still = basisChange(a, a);
    assertEquals(
      [still.scale, still.determinant, still.windingReversed, still.uvFlipped],
      [1, 1, false, false],
    );
    assertEquals(still.axes, { axis: [0, 1, 2], sign: [1, 1, 1] });
    assertEquals(still.tangentSign, 1);
  }
});

/** All 48 signed permutations. */
const MAPS: AxisMap[] = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
].flatMap((axis) =>
  Array.from({ length: 8 }, (_, s) => ({
    axis: axis as Vector,
    sign: [s & 1, s & 2, s & 4].map((bit) => bit ? -1 : 1) as Vector,
  }))
);

Deno.test("axesDeterminant() equals the determinant of the rows for all 48 maps", () => {
  for (const map of MAPS) {
    const [a, b, c] = rowsOf(map);
    assertEquals(axesDeterminant(map), dot(cross(a, b), c));
  }
});

Deno.test("invertAxes() undoes and composeAxes() follows every one of the 48 maps", () => {
  const p: Vector = [2, 3, 5];
  for (const first of MAPS) {
    const back = invertAxes(first);
    assertEquals(times(rowsOf(back), times(rowsOf(first), p)), p);
    for (const second of MAPS) {
      assertEquals(
        times(rowsOf(composeAxes(first, second)), p),
        times(rowsOf(second), times(rowsOf(first), p)),
      );
    }
  }
});
