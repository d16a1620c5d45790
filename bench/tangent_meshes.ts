/**
 * Meshes for tangent generators, made from nothing: the regular families, and those that are quadratic or worse for other
 * generators. All are the same on every run.
 *
 * @module
 */

/** A triangle list with positions, normals and texture coordinates. */
export interface TangentMesh {
  /** 3 f32 a vertex. */
  position: Float32Array<ArrayBuffer>;
  /** 3 f32 a vertex. */
  normal: Float32Array<ArrayBuffer>;
  /** 2 f32 a vertex. */
  uv: Float32Array<ArrayBuffer>;
  /** Three vertices a triangle. */
  indices: Uint32Array<ArrayBuffer>;
}

/** Number of triangles. */
export function triangleCount(mesh: TangentMesh): number {
  return mesh.indices.length / 3;
}

/** A small generator of numbers in [0, 1). */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state ^ (state >>> 15)) >>> 0) / 2 ** 32;
  };
}

class Builder {
  readonly p: number[] = [];
  readonly n: number[] = [];
  readonly t: number[] = [];
  readonly i: number[] = [];
  vertex(p: number[], n: number[], t: number[]): number {
    this.p.push(...p);
    this.n.push(...n);
    this.t.push(...t);
    return this.p.length / 3 - 1;
  }
  face(a: number, b: number, c: number): void {
    this.i.push(a, b, c);
  }
  mesh(): TangentMesh {
    return {
      position: Float32Array.from(this.p),
      normal: Float32Array.from(this.n),
      uv: Float32Array.from(this.t),
      indices: Uint32Array.from(this.i),
    };
  }
}

/** Two triangles for each cell of a grid of (cols + 1) × (rows + 1) vertices. */
function gridFaces(b: Builder, cols: number, rows: number, first = 0): void {
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      const v = first + r * (cols + 1) + c;
      b.face(v, v + 1, v + cols + 1);
      b.face(v + 1, v + cols + 2, v + cols + 1);
    }
  }
}

/** Sphere of latitudes and longitudes; at the poles every triangle has its own u. */
function sphere(triangles: number): TangentMesh {
  const rows = Math.max(3, Math.round(Math.sqrt(triangles / 4)));
  const cols = rows * 2;
  const b = new Builder();
  for (let r = 0; r <= rows; r++) {
    for (let c = 0; c <= cols; c++) {
      const [phi, theta] = [c / cols * 2 * Math.PI, r / rows * Math.PI];
      const n = [
        -Math.cos(phi) * Math.sin(theta),
        Math.cos(theta),
        Math.sin(phi) * Math.sin(theta),
      ];
      const shift = r === 0 ? 0.5 / cols : r === rows ? -0.5 / cols : 0;
      b.vertex(n, n, [c / cols + shift, r / rows]);
    }
  }
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      const v = r * (cols + 1) + c;
      if (r !== 0) b.face(v + 1, v, v + cols + 2);
      if (r !== rows - 1) b.face(v, v + cols + 1, v + cols + 2);
    }
  }
  return b.mesh();
}

/** Hills with the texture mirrored at every quarter of x and half of z. */
function terrain(triangles: number): TangentMesh {
  const side = Math.max(8, 8 * Math.round(Math.sqrt(triangles / 2) / 8));
  const b = new Builder();
  const mirrored = (x: number) => Math.abs((x % 2 + 2) % 2 - 1);
  for (let r = 0; r <= side; r++) {
    for (let c = 0; c <= side; c++) {
      const [x, z] = [c / side, r / side];
      const height = 0.1 * Math.sin(7 * x) * Math.cos(5 * z);
      const n = [
        -0.7 * Math.cos(7 * x) * Math.cos(5 * z),
        1,
        0.5 * Math.sin(7 * x) * Math.sin(5 * z),
      ];
      const length = Math.sqrt(n[0] * n[0] + 1 + n[2] * n[2]);
      b.vertex([x, height, z], n.map((k) => k / length), [
        mirrored(x * 4),
        mirrored(z * 2),
      ]);
    }
  }
  gridFaces(b, side, side);
  return b.mesh();
}

/** Unconnected triangles, everything random. */
function soup(triangles: number): TangentMesh {
  const random = numbers(7);
  const b = new Builder();
  for (let t = 0; t < triangles; t++) {
    const at = [random(), random(), random()].map((k) => k * 100);
    for (let k = 0; k < 3; k++) {
      const n = [random() - 0.5, random() - 0.5, random() - 0.5];
      const length = Math.sqrt(n.reduce((s, x) => s + x * x, 1e-9));
      b.vertex(
        at.map((x) => x + random()),
        n.map((x) => x / length),
        [random(), random()],
      );
    }
    b.face(t * 3, t * 3 + 1, t * 3 + 2);
  }
  return b.mesh();
}

/** A lumpy ball from a cube of grids: six charts, seams between them. */
function blob(triangles: number): TangentMesh {
  const side = Math.max(2, Math.round(Math.sqrt(triangles / 12)));
  const b = new Builder();
  for (let chart = 0; chart < 6; chart++) {
    const first = b.p.length / 3;
    for (let r = 0; r <= side; r++) {
      for (let c = 0; c <= side; c++) {
        const [x, y] = [c / side * 2 - 1, r / side * 2 - 1];
        const side6 = [[1, y, -x], [-1, y, x], [x, 1, -y], [x, -1, y], [
          x,
          y,
          1,
        ], [-x, y, -1]][chart];
        const length = Math.sqrt(1 + x * x + y * y);
        const n = side6.map((k) => k / length);
        const bump = 1 + 0.05 * Math.sin(9 * n[0]) * Math.sin(8 * n[1]) +
          0.02 * Math.sin(31 * n[2]);
        b.vertex(n.map((k) => k * bump), n, [
          (chart % 3 + (x + 1) / 2) / 3,
          (Math.floor(chart / 3) + (y + 1) / 2) / 2,
        ]);
      }
    }
    gridFaces(b, side, side, first);
  }
  return b.mesh();
}

/** The same triangles in another order, over shuffled vertices. */
function shuffled(mesh: TangentMesh): TangentMesh {
  const random = numbers(11);
  const permutation = (n: number) => {
    const order = Uint32Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      const k = Math.floor(random() * (i + 1));
      [order[i], order[k]] = [order[k], order[i]];
    }
    return order;
  };
  const vertices = permutation(mesh.position.length / 3);
  const triangles = permutation(triangleCount(mesh));
  const pick = (from: Float32Array, width: number) => {
    const to = new Float32Array(from.length);
    vertices.forEach((v, i) =>
      to.set(from.subarray(i * width, i * width + width), v * width)
    );
    return to;
  };
  const indices = new Uint32Array(mesh.indices.length);
  triangles.forEach((t, i) => {
    for (let k = 0; k < 3; k++) {
      indices[t * 3 + k] = vertices[mesh.indices[i * 3 + k]];
    }
  });
  return {
    position: pick(mesh.position, 3),
    normal: pick(mesh.normal, 3),
    uv: pick(mesh.uv, 2),
    indices,
  };
}

const UP = [0, 1, 0];

/** Triangles around one apex; `own` gives each its own texture coordinates there, so that many corners meet in one place. */
function fan(triangles: number, own: boolean): TangentMesh {
  const b = new Builder();
  const rim = (k: number): [number, number] => {
    const angle = k / triangles * 2 * Math.PI;
    return [Math.cos(angle), -Math.sin(angle)];
  };
  if (!own) b.vertex([0, 0.3, 0], UP, [0, 0]);
  for (let k = 0; k <= triangles; k++) {
    const [x, z] = rim(k);
    b.vertex([x, 0, z], UP, own ? [k / triangles, 1] : [x, z]);
  }
  for (let k = 0; k < triangles; k++) {
    const apex = own
      ? b.vertex([0, 0.3, 0], UP, [(k + 0.5) / triangles, 0])
      : 0;
    const first = own ? 0 : 1;
    b.face(apex, first + k, first + k + 1);
  }
  return b.mesh();
}

/**
 * Fans of at most `size` triangles whose tangents point outwards, so that many pairs are exactly opposite and no two members
 * join the same others.
 */
function opposite(triangles: number, size: number): TangentMesh {
  const b = new Builder();
  for (let first = 0; first < triangles; first += size) {
    const steps = Math.min(size, triangles - first);
    const middle = first / size * 3;
    const apex = b.vertex([middle, 0, 0], UP, [0, 0]);
    for (let k = 0; k <= steps; k++) {
      const angle = k / steps * 2 * Math.PI;
      // half a turn of the texture from one spoke to the next but one turns the gradient right round
      const turn = k * (Math.PI / 2);
      b.vertex([middle + Math.cos(angle), 0, -Math.sin(angle)], UP, [
        Math.cos(turn),
        -Math.sin(turn),
      ]);
    }
    for (let k = 1; k <= steps; k++) b.face(apex, apex + k, apex + k + 1);
  }
  return b.mesh();
}

/** Good triangles, and half as many that are degenerate, each at one of their vertices. */
function withDegenerate(good: number, bad: number): TangentMesh {
  const base = terrain(good);
  const random = numbers(5);
  const indices = new Uint32Array(base.indices.length + bad * 3);
  indices.set(base.indices);
  const vertices = base.position.length / 3;
  for (let k = 0; k < bad; k++) {
    const [v, w] = [
      Math.floor(random() * vertices),
      Math.floor(random() * vertices),
    ];
    indices.set([v, v, w], base.indices.length + k * 3);
  }
  return { ...base, indices };
}

/** All triangles at one place. */
function coincident(triangles: number): TangentMesh {
  const b = new Builder();
  b.vertex([1, 2, 3], UP, [0.5, 0.5]);
  for (let k = 0; k < triangles; k++) b.face(0, 0, 0);
  return b.mesh();
}

/** Pages of a book: all triangles share one edge. */
function book(triangles: number): TangentMesh {
  const b = new Builder();
  b.vertex([0, 0, 0], UP, [0, 0]);
  b.vertex([0, 0, 1], UP, [0, 1]);
  for (let k = 0; k < triangles; k++) {
    const angle = k / triangles * 2 * Math.PI;
    const v = b.vertex([Math.cos(angle), Math.sin(angle), 0.5], UP, [
      1,
      k / triangles,
    ]);
    if (k % 2 === 0) b.face(0, 1, v);
    else b.face(1, 0, v);
  }
  return b.mesh();
}

function changed(
  mesh: TangentMesh,
  edit: (mesh: TangentMesh) => void,
): TangentMesh {
  edit(mesh);
  return mesh;
}

/** The families by name; each makes about as many triangles as asked for. */
export const REGULAR: Readonly<Record<string, (n: number) => TangentMesh>> = {
  sphere,
  terrain,
  soup,
  blob,
  shuffled: (n) => shuffled(blob(n)),
};

/** The families on which other generators are quadratic, cubic, overflow their stack or trap. */
export const ADVERSARIAL: Readonly<Record<string, (n: number) => TangentMesh>> =
  {
    fan: (n) => fan(n, false),
    "fan-own-uv": (n) => fan(n, true),
    degenerate: (n) => withDegenerate(Math.ceil(n * 2 / 3), Math.ceil(n / 3)),
    coincident,
    book,
    nan: (n) => changed(terrain(n), (m) => m.position.fill(NaN)),
    outlier: (n) =>
      changed(terrain(n), (m) => {
        m.position.set([1e9, 1e9, 1e9], 0);
      }),
    opposite: (n) => opposite(n, 500),
  };

/**
 * One fan of opposite tangents. Each member has a set of its own, whose sum is a chain of roundings of its own: exact
 * answers are quadratic in the size of one such group by nature, so it stays small.
 */
export const OPPOSITE: (n: number) => TangentMesh = (n) => opposite(n, n);

/** The same mesh without indices. */
export function unindexed(mesh: TangentMesh): TangentMesh {
  const corners = mesh.indices.length;
  const out: TangentMesh = {
    position: new Float32Array(corners * 3),
    normal: new Float32Array(corners * 3),
    uv: new Float32Array(corners * 2),
    indices: Uint32Array.from({ length: corners }, (_, i) => i),
  };
  for (let c = 0; c < corners; c++) {
    const v = mesh.indices[c];
    for (let k = 0; k < 3; k++) {
      out.position[c * 3 + k] = mesh.position[v * 3 + k];
      out.normal[c * 3 + k] = mesh.normal[v * 3 + k];
    }
    out.uv[c * 2] = mesh.uv[v * 2];
    out.uv[c * 2 + 1] = mesh.uv[v * 2 + 1];
  }
  return out;
}
