/**
 * Faults that the tests have to find: each is one small edit of the sources, of the kind that hands make.
 *
 * @module
 */

/** One fault. */
export interface Mutant {
  /** What is wrong then. */
  name: string;
  /** The file that is edited. */
  file: string;
  /** Text that stands in it exactly once. */
  find: string;
  /** What stands there instead. */
  replace: string;
}

const BITS = [
  "tests/tangents/c_code_test.ts",
  "tests/tangents/tangent_bits_test.ts",
];

/** The tests that concern each file, the quickest first. */
export const TESTS: Readonly<Record<string, readonly string[]>> = {
  "assembly/arena.ts": [
    "tests/kernels/loader_test.ts",
    "tests/kernels/replay_test.ts",
  ],
  "assembly/replay_split.ts": ["tests/kernels/replay_test.ts"],
  "src/kernels/replay.ts": ["tests/kernels/replay_test.ts"],
  "src/kernels/resident_pool.ts": ["tests/kernels/resident_pool_test.ts"],
  "assembly/morph_scan.ts": ["tests/kernels/morphs_test.ts"],
  "src/kernels/morphs.ts": ["tests/kernels/morphs_test.ts"],
  "assembly/transform_normals.ts": ["tests/kernels/normals_test.ts"],
  "src/kernels/normals.ts": ["tests/kernels/normals_test.ts"],
  "src/kernels/transform.ts": ["tests/ops/transform_mesh_test.ts"],
  "src/kernels/loader.ts": ["tests/kernels/loader_test.ts"],
  "assembly/mikktspace.ts": BITS,
  "assembly/mikktspace_acos.ts": [
    "tests/tangents/tangent_kernel_test.ts",
    ...BITS,
  ],
  "assembly/mikktspace_exact.ts": BITS,
  "assembly/mikktspace_grid.ts": BITS,
  "assembly/mikktspace_last_bucket.ts": BITS,
  "assembly/mikktspace_quads.ts": BITS,
  "assembly/mikktspace_weld.ts": [
    ...BITS,
    "tests/tangents/tangent_kernel_test.ts",
  ],
  "src/kernels/tangents.ts": [
    "tests/tangents/tangent_kernel_test.ts",
    ...BITS,
  ],
  "src/ops/rebuild_tangents.ts": ["tests/tangents/rebuild_tangents_test.ts"],
  "src/ops/rebuild_normals.ts": [
    "tests/tangents/rebuild_normals_test.ts",
    "tests/ops/rebuild_frames_test.ts",
  ],
  "src/ops/weld_mesh.ts": ["tests/ops/weld_mesh_test.ts"],
  "src/ops/split_mesh.ts": ["tests/ops/split_mesh_test.ts"],
  "src/ops/remap_vertices.ts": ["tests/ops/remap_vertices_test.ts"],
  "src/ops/cap_influences.ts": ["tests/ops/cap_influences_test.ts"],
  "src/ops/filter_morphs.ts": ["tests/ops/filter_morphs_test.ts"],
  "src/ops/clean_triangles.ts": ["tests/ops/clean_triangles_test.ts"],
  "src/ops/tangent_signs.ts": ["tests/ops/tangent_signs_test.ts"],
  "src/ops/build_lods.ts": ["tests/ops/payload_cook_test.ts"],
  "src/ops/heightfield.ts": ["tests/ops/payload_cook_test.ts"],
  "src/ops/payload_frames.ts": [
    "tests/ops/rebuild_frames_test.ts",
    "tests/ops/payload_cook_test.ts",
  ],
};

type Edit = readonly [name: string, find: string, replace: string];

const EDITS: Readonly<Record<string, readonly Edit[]>> = {
  "assembly/arena.ts": [
    [
      "a request near 4 GiB wraps",
      "if (end > CEILING) return 0;",
      "",
    ],
    [
      "nothing is given back",
      "top = <u64>mark;",
      "",
    ],
    [
      "blocks are not aligned",
      "const end = (start + <u64>bytes + ALIGN) & ~ALIGN;",
      "const end = start + <u64>bytes;",
    ],
  ],
  "assembly/replay_split.ts": [
    [
      "the stride of weights is that of uv",
      "weights += 48; bones += 16;",
      "weights += 32; bones += 16;",
    ],
    [
      "a run starts one record late",
      "let p = records + first * 48;",
      "let p = records + (first + 1) * 48;",
    ],
    [
      "the last one to three vertices of a run are skipped",
      "while (p < end) {",
      "while (p < quads) {",
    ],
    [
      "normals of the fourth vertex take the third's x",
      "v128.shuffle<f32>(c2, v128.shuffle<f32>(b3, c3, 2, 3, 4, 5), 1, 5, 6, 7)",
      "v128.shuffle<f32>(c2, v128.shuffle<f32>(b3, c3, 2, 3, 4, 5), 1, 4, 6, 7)",
    ],
    [
      "tangents follow the place in the output, not the run",
      "let q = tangents + (first << 4);",
      "let q = tangents;",
    ],
    [
      "bone bytes of the second and third vertex are swapped",
      "v128.shuffle<f32>(bones01, bones23, 0, 2, 4, 6)",
      "v128.shuffle<f32>(bones01, bones23, 0, 4, 2, 6)",
    ],
  ],
  "src/kernels/resident_pool.ts": [
    [
      "every part of a long run table is split to the start",
      ".map((at, k) => at + done * STRIDES[k]);",
      ".map((at) => at);",
    ],
    [
      "the last part of a long run table is left out",
      "for (let i = 0; i < merged.length; i += table.length) {",
      "for (let i = 0; i + table.length < merged.length; i += table.length) {",
    ],
    [
      "more vertices than there is room for",
      'checkLimit("replayed vertices", count, this.#capacity);',
      "",
    ],
  ],
  "src/kernels/replay.ts": [
    [
      "runs that end at the pool's end are refused",
      "if (end > vertices) {",
      "if (end >= vertices) {",
    ],
    [
      "a run may end one past the pool",
      "const end = runs[i] + runs[i + 1];\n    if",
      "const end = runs[i] + runs[i + 1] - 1;\n    if",
    ],
    [
      "runs that overlap are merged",
      "if (n > 0 && out[n - 2] + out[n - 1] === runs[i]) out",
      "if (n > 0 && out[n - 2] + out[n - 1] >= runs[i]) out",
    ],
    [
      "a run that is cut starts again",
      "pieces[words++] = runs[run] + done;",
      "pieces[words++] = runs[run];",
    ],
  ],
  "assembly/morph_scan.ts": [
    [
      "the test is >= instead of >",
      "f32x4.gt(v128.and(tail, abs), limit)",
      "f32x4.ge(v128.and(tail, abs), limit)",
    ],
    [
      "the last one to seven deltas are skipped",
      "end = count;",
      "break;",
    ],
    [
      "one of twelve loads is missing",
      "v128.or(v128.load(p, 144), v128.load(p, 160)), v128.load(p, 176)",
      "v128.or(v128.load(p, 144), v128.load(p, 160)), v128.load(p, 160)",
    ],
    [
      "negative deltas are dropped",
      "const abs = i32x4.splat(0x7fffffff);",
      "const abs = i32x4.splat(-1);",
    ],
    [
      "a quick block counts seven vertices",
      "i = end;\n        continue;",
      "i = end - 1;\n        continue;",
    ],
    [
      "the last two components of a delta are not kept",
      "v128.store(kept, tail, 8);",
      "",
    ],
    [
      "ends of later chunks start from nothing",
      "if (base) {",
      "if (base && false) {",
    ],
    [
      "normal deltas lose their last component",
      "store<u64>(n, load<u64>(kept, 16), 4);",
      "store<u32>(n, load<u32>(kept, 16), 4);",
    ],
    [
      "entries of one vertex overwrite one another",
      "store<u32>(slot, <u32>at + 1);",
      "",
    ],
  ],
  "src/kernels/morphs.ts": [
    [
      "a later entry for one vertex and target is lost",
      "for (let k = 0; k < 3; k++) {\n        bits[at + k] = position[e * 3 + k];",
      "if (!bits[at]) for (let k = 0; k < 3; k++) {\n        bits[at + k] = position[e * 3 + k];",
    ],
    [
      "a target is read from the first vertex of every chunk",
      "const from = (t * vertexCount + v) * 24;",
      "const from = t * vertexCount * 24;",
    ],
    [
      "pieces all start at the front",
      "at += piece.targets.length;",
      "",
    ],
    [
      "chunks overlap",
      "const n = Math.min(chunk, vertexCount - v);",
      "const n = Math.min(chunk + 1, vertexCount - v);",
    ],
  ],
  "assembly/transform_normals.ts": [
    [
      "one product has the wrong sign",
      "const ry = f32x4.add(f32x4.add(f32x4.mul(c3, x), f32x4.mul(c4, y)), f32x4.mul(c5, z));",
      "const ry = f32x4.sub(f32x4.add(f32x4.mul(c3, x), f32x4.mul(c4, y)), f32x4.mul(c5, z));",
    ],
    [
      "rows and columns are exchanged in the f64 loop",
      "const ryl = row(c3, c4, c5, xl, yl, zl), ryh",
      "const ryl = row(c1, c4, c7, xl, yl, zl), ryh",
    ],
    [
      "the vector loop does not make unit",
      "storeNormals(out, f32x4.div(rx, l), f32x4.div(ry, l), f32x4.div(rz, l));",
      "storeNormals(out, rx, ry, rz);",
    ],
    [
      "lengths are never out of range",
      "return i32x4.bitmask(ok) == 15;",
      "return true;",
    ],
    [
      "one lane of four is enough to be in range",
      "i32x4.bitmask(ok) == 15",
      "i32x4.bitmask(ok) != 0",
    ],
    [
      "the fallback is not counted",
      "memory.copy(out, block + 108, 12);\n      return 1;",
      "memory.copy(out, block + 108, 12);\n      return 0;",
    ],
    [
      "the last one to three normals are skipped",
      "for (const end = min(i + 4, count); i < end;",
      "for (const end = min(i + 4, count & ~3); i < end;",
    ],
    [
      "infinite normals get no fallback",
      "if (!(top > 0 && top < Infinity)) {",
      "if (!(top > 0)) {",
    ],
  ],
  "src/kernels/normals.ts": [
    [
      "the sign of the determinant is left out",
      "top > 0 ? (sign * x) / top : x",
      "top > 0 ? x / top : x",
    ],
    [
      "cancelling matrices take the f32 loop",
      "const exact = cancellation(c) <= MAX_F32_CANCELLATION ? 0 : 1;",
      "const exact = 0;",
    ],
    [
      "rows of one term count as cancelling",
      "if (terms.length < 2) continue;",
      "",
    ],
    [
      "a chunk that is not full is copied whole",
      "n === chunk ? view : view.subarray(0, n * 12)",
      "view",
    ],
  ],
  "src/kernels/transform.ts": [
    [
      "tangents are not made unit",
      "unitTangents(tangent);",
      "",
    ],
    [
      "a mirror keeps the tangent's sign",
      "tangent[i] = -tangent[i];",
      "tangent[i] = +tangent[i];",
    ],
    [
      "a mirror keeps the winding",
      "lods: windingReversed ? mesh.lods.map(reverseWinding) : mesh.lods,",
      "lods: mesh.lods,",
    ],
    [
      "the matrix is read by rows",
      "m[r] * x + m[4 + r] * y + m[8 + r] * z",
      "m[4 * r] * x + m[4 * r + 1] * y + m[4 * r + 2] * z",
    ],
    [
      "the translation moves deltas too",
      "position: linear(morphs.position, 3, matrix, 0),",
      "position: linear(morphs.position, 3, matrix, 1),",
    ],
    [
      "a translation alone renormalises",
      "if (!still) {",
      "if (true) {",
    ],
    [
      "normal deltas are not taken from the base",
      "return still ? 0 : x - newBase[owner[e / 3] * 3 + i % 3];",
      "return still ? 0 : x;",
    ],
  ],
  "src/kernels/loader.ts": [
    [
      "memory is not given back after a failure",
      "arena.release();\n    const keep",
      "const keep",
    ],
    [
      "a large instance is kept for good",
      "if (kernels.memory.buffer.byteLength > keep) instance = undefined;",
      "",
    ],
    [
      "a module that starts no kernels replaces the one that does",
      'if (typeof exports[name] !== "function") {',
      "if (false) {",
    ],
  ],
  "assembly/mikktspace_weld.ts": [
    [
      "-0 and 0 are two positions",
      "const a = f32x4.add(v128.shuffle<f64>(xyz, zu, 0, 2), zero);",
      "const a = v128.shuffle<f64>(xyz, zu, 0, 2);",
    ],
    [
      "corners with a NaN are welded",
      "if (hasNan(a, b)) job.odd++;\n      else store",
      "store",
    ],
    [
      "a grown table starts empty",
      "for (let c: u32 = 0; c < job.classes; c++, p += 32) {",
      "for (let c: u32 = 0; c < 0; c++, p += 32) {",
    ],
    [
      "an index that names no vertex passes",
      "if (v >= vertices) return i;",
      "if (v > vertices) return i;",
    ],
  ],
  "assembly/mikktspace.ts": [
    [
      "the texture's area has the wrong sign",
      "const s = f32x4.sub(f32x4.mul(y2, d1), f32x4.mul(y1, d2));",
      "const s = f32x4.sub(f32x4.mul(y1, d2), f32x4.mul(y2, d1));",
    ],
    [
      "derivatives are divided instead of multiplied with the reciprocal",
      "const sOut = v128.and(f32x4.mul(s, v128.shuffle<f32>(scale, scale, 0, 0, 0, 0)),",
      "const sOut = v128.and(f32x4.div(s, v128.shuffle<f32>(f32x4.div(f32x4.splat(1), scale), scale, 0, 0, 0, 0)),",
    ],
    [
      "a triangle is degenerate only where all three corners meet",
      "if (isOnePlace(pa, pb) || isOnePlace(pa, pc)",
      "if (isOnePlace(pa, pb) && isOnePlace(pa, pc)",
    ],
    [
      "magnitudes are not judged",
      "const good = (i32x4.bitmask(f32x4.gt(magnitude, min)) & 3) == 3;",
      "const good = true;",
    ],
    [
      "one of two derivatives is enough",
      "(i32x4.bitmask(f32x4.gt(magnitude, min)) & 3) == 3",
      "(i32x4.bitmask(f32x4.gt(magnitude, min)) & 3) != 0",
    ],
    [
      "the smallest class of a triangle owns one edge",
      "store<u32>(slot, load<u32>(slot) + 2);",
      "store<u32>(slot, load<u32>(slot) + 1);",
    ],
    [
      "the angle lies between edges of one direction",
      "return f32x4.neg(dot3(ax, ay, az, bx, by, bz));",
      "return dot3(ax, ay, az, bx, by, bz);",
    ],
    [
      "a sum starts from what stood there",
      "v128.store(out + (<usize>c << 4), f32x4.splat(0));",
      "",
    ],
    [
      "the last bucket is not paired",
      "for (let c: u32 = 0; c < classes; c++) {\n    const to = load<u32>(counts + (<usize>c << 2));",
      "for (let c: u32 = 0; c + 2 < classes; c++) {\n    const to = load<u32>(counts + (<usize>c << 2));",
    ],
    [
      "edges of one direction are paired",
      "if (load<u32>(q) == hi && ((load<u32>(q, 4) ^ edge) & 1)) break;",
      "if (load<u32>(q) == hi) break;",
    ],
    [
      "a waiting edge is taken by the newest, not the oldest",
      "first = waiting(left, last);\n      if ((first ^ edge) & 1) {",
      "first = last;\n      if ((first ^ edge) & 1) {",
    ],
    [
      "edges that wait to the end keep what stood there",
      "unlink(left, right, edge >> 1);\n      if (edge == last) break;",
      "if (edge == last) break;",
    ],
    [
      "groups grow to one side alone",
      "walk(right, roots, c, state);",
      "",
    ],
    [
      "UV-degenerate corners join without taking an orientation",
      "if (state == FREE) {",
      "if (state == FREE && false) {",
    ],
    [
      "UV-degenerate corners join any orientation",
      "} else if (state != open - 2) {",
      "} else if (state < FREE) {",
    ],
    [
      "short vectors are made unit",
      "return v128.bitselect(scale, constant(ONE), some);",
      "return scale;",
    ],
    [
      "projections are not made unit before the angle",
      "ax = f32x4.mul(ax, aScale); ay = f32x4.mul(ay, aScale); az = f32x4.mul(az, aScale);",
      "",
    ],
    [
      "a group may reach round to the opposite side",
      "if (mark == 0 && !job.spaces) v128.store",
      "if (!job.spaces) v128.store",
    ],
    [
      "the last triangle of three is left out",
      "else if (count == 3) four(job, t0, t1, t2, t2, 3);",
      "else if (count == 3) four(job, t0, t1, t2, t2, 2);",
    ],
    [
      "sums are taken for tangents without making them unit",
      "unit = f32x4.mul(sum, f32x4.splat(<f32>1 / sqrt<f32>(l2)));",
      "unit = sum;",
    ],
    [
      "corners that come before their group's root get nothing",
      "early = true; // a UV-degenerate corner before the root of its group",
      "",
    ],
    [
      "degenerate corners take the last good corner",
      "for (let t = triangles; t-- > 0;) {\n    if (load<u8>(flags + t) & DEGENERATE) continue;\n    for (let c",
      "for (let t: u32 = 0; t < triangles; t++) {\n    if (load<u8>(flags + t) & DEGENERATE) continue;\n    for (let c",
    ],
  ],
  "assembly/mikktspace_acos.ts": [
    [
      "a coefficient has one wrong digit at the end",
      "-3.25565818622400915405e-01, -3.25565818622400915405e-01",
      "-3.25565828622400915405e-01, -3.25565828622400915405e-01",
    ],
    [
      "the ends use the middle's approximation",
      "const inner = f64x2.le(size, half);",
      "const inner = f64x2.le(size, one);",
    ],
    [
      "cosines beyond 1 are not clamped",
      "f64x2.pmax(f64x2.pmin(f64x2.mul(x, x), outerSquare), f64x2.splat(0))",
      "f64x2.pmin(f64x2.mul(x, x), outerSquare)",
    ],
  ],
  "assembly/mikktspace_exact.ts": [
    [
      "only one side of a fan is collected",
      "for (let side = 0; side < 2; side++) {",
      "for (let side = 0; side < 1; side++) {",
    ],
    [
      "members exactly at the threshold join",
      "v128.and(f32x4.gt(s, threshold), f32x4.gt(t, threshold))",
      "v128.and(f32x4.ge(s, threshold), f32x4.ge(t, threshold))",
    ],
    [
      "the derivative along v is not looked at",
      "v128.and(f32x4.gt(s, threshold), f32x4.gt(t, threshold))",
      "f32x4.gt(s, threshold)",
    ],
    [
      "a triangle may leave itself out",
      "setBit(row, i);\n  if (job.faces)",
      "if (job.faces)",
    ],
    [
      "members are summed in walking order",
      "sortNumbers(g.members, g.vectors, count);",
      "",
    ],
  ],
  "assembly/mikktspace_last_bucket.ts": [
    [
      "the lower bound is that of the larger ends",
      "bound = max<u32>(bound, max<u32>(min<u32>(a, b),",
      "bound = max<u32>(bound, max<u32>(max<u32>(a, b),",
    ],
    [
      "every run of the last bucket is put in order",
      "if (q < end) sortRun(p, q);",
      "sortRun(p, q);",
    ],
    [
      "no run of the last bucket is put in order",
      "if (q < end) sortRun(p, q);",
      "",
    ],
    [
      "the seed is another one",
      "const SEED: u32 = 39871946;",
      "const SEED: u32 = 39871947;",
    ],
    [
      "a guess that was too high stands",
      "return largest >= guess ? largest : largestFrom(r, max<u32>(bound, largest));",
      "return largest;",
    ],
    [
      "buckets of three edges are thought too small to matter",
      "if (bucket < 3) return true;",
      "if (bucket < 4) return true;",
    ],
  ],
  "assembly/mikktspace_grid.ts": [
    [
      "values at the middle of a range go left",
      "while (left < right && load<f32>(column + (<usize>left << 4)) < middle) left++;",
      "while (left < right && load<f32>(column + (<usize>left << 4)) <= middle) left++;",
    ],
    [
      "the grid has half as many cells",
      "const CELLS: u32 = 2048;",
      "const CELLS: u32 = 1024;",
    ],
    [
      "what the reference leaves unwelded is welded",
      "else if (middle - middle != 0) takeApart(g, c);",
      "",
    ],
    [
      "every range is left unwelded where one is",
      "else if (middle - middle != 0) takeApart(g, c);",
      "else takeApart(g, c);",
    ],
    [
      "a corner that is taken apart keeps its record's place",
      "class_ = job.classes++;",
      "job.classes++;",
    ],
    [
      "huge positions count as harmless",
      "const HALF_MAX: f32 = 1.7014117331926443e38;",
      "const HALF_MAX: f32 = 3.4028234663852886e38;",
    ],
    [
      "ranges are halved along x alone",
      "return y > x && y > z ? 1 : z > x ? 2 : 0;",
      "return 0;",
    ],
  ],
  "assembly/mikktspace_quads.ts": [
    [
      "quads are cut along the longer diagonal",
      "const fromFirst = ac < bd ||",
      "const fromFirst = ac > bd ||",
    ],
    [
      "positions do not break a tie of diagonals",
      "(!(bd < ac) && !(squared(b, d, false) < squared(a, c, false)))",
      "!(bd < ac)",
    ],
    [
      "halves keep orientations of their own",
      "if (keepFirst) store<u8>(flags + t, b & ~POSITIVE | a & POSITIVE, 1);",
      "if (keepFirst) store<u8>(flags + t, b, 1);",
    ],
    [
      "the smaller half gives the orientation",
      "abs<f32>(signedArea(job, t)) >= abs<f32>(signedArea(job, t + 1))",
      "abs<f32>(signedArea(job, t)) < abs<f32>(signedArea(job, t + 1))",
    ],
    [
      "two equal spaces are averaged all the same",
      "equalSpaces(job, other, c) ? f32x4",
      "false ? f32x4",
    ],
    [
      "magnitudes do not count in the comparison of spaces",
      "&& (i32x4.bitmask(m) & 3) == 3",
      "",
    ],
    [
      "the sign comes from the group that was opened first",
      "const later = load<u32>(opened + (<usize>other << 2)) > root;",
      "const later = load<u32>(opened + (<usize>other << 2)) < root;",
    ],
    [
      "the missing corner of a half degenerate quad stays empty",
      "for (let pass = 0; pass < 2; pass++) {",
      "for (let pass = 0; pass < 1; pass++) {",
    ],
  ],
  "src/kernels/tangents.ts": [
    [
      "the threshold is an angle in radians",
      "f(Math.cos(f(f(angle * f(Math.PI)) / 180)))",
      "f(Math.cos(angle))",
    ],
    [
      "mode reference is the corrected one",
      'const reference = options.mode === "reference";',
      "const reference = false;",
    ],
    [
      "an indexed vertex with a NaN is one corner",
      'if (words[JOB_FIELDS.indexOf("odd")] > 0) return null;',
      "",
    ],
    [
      "the last chunk of vertices is left out",
      "const n = Math.min(CHUNK, vertices - v);",
      "const n = Math.min(CHUNK, vertices - v - 1);",
    ],
    [
      "thresholds above 180 pass",
      "angularThreshold >= 0 && angularThreshold <= 180",
      "angularThreshold >= 0",
    ],
  ],
  "src/ops/rebuild_tangents.ts": [
    [
      "the winding does not turn the sign",
      "return (b.outward * up * b.bitangent) as 1 | -1;",
      "return (up * b.bitangent) as 1 | -1;",
    ],
    [
      "vertices that differ in sign alone are one",
      "first[p] === a && first[p + 1] === b && first[p + 2] === c &&\n      first[p + 3] === d",
      "first[p] === a && first[p + 1] === b && first[p + 2] === c",
    ],
    [
      "every differing corner gets a vertex of its own",
      "if (this.#table[at] > 0) return this.vertexCount + this.#table[at] - 1;",
      "",
    ],
    [
      "a coarser LOD takes the first copy of the right sign",
      "if (cosine > closest || best < 0) [best, closest]",
      "if (best < 0) [best, closest]",
    ],
    [
      "a coarser LOD takes a copy of the wrong sign",
      "if (floats[3] !== tangent[i + 3]) continue;",
      "",
    ],
    [
      "repaired tangents lean towards the normal",
      "const from = unit(tx - along * nx, ty - along * ny, tz - along * nz);",
      "const from = unit(tx, ty, tz);",
    ],
    [
      "leftover indices are dropped",
      "const indices = lod.indices.slice();\n  for",
      "const indices = lod.indices.slice(0, whole);\n  for",
    ],
    [
      "skins and morphs do not follow the split",
      "out = remapVertices(out, order);",
      "out = { ...out, vertexCount: order.length, attributes: remapVertices({ ...out, morphs: null }, order).attributes };",
    ],
  ],
  "src/ops/rebuild_normals.ts": [
    [
      "angle weights are area weights",
      "weight *= Math.atan2(area, dot);",
      "weight *= 1;",
    ],
    [
      "unit weights count by area",
      "let weight = outward / area;",
      "let weight: number = outward;",
    ],
    [
      "faces point inward where front faces are clockwise",
      "cornerNormals(position, indices, outward, weighting, (_, vertex, n)",
      "cornerNormals(position, indices, 1, weighting, (_, vertex, n)",
    ],
    [
      "-0 and 0 are two positions",
      "const key = `${p[0] + 0},${p[1] + 0},${p[2] + 0}`;",
      'const key = Array.from(p, (x) => Object.is(x, -0) ? "-0" : x).join();',
    ],
    [
      "smoothing groups must be equal, not share a bit",
      "if (((groups[face.triangle] >>> 0) & mask) === 0) continue;",
      "if ((groups[face.triangle] >>> 0) !== mask) continue;",
    ],
    [
      "faces of smoothing group 0 are smooth",
      "if (mask === 0) {",
      "if (false) {",
    ],
  ],
  "src/ops/weld_mesh.ts": [
    [
      "morph targets do not count",
      "if (record.every((x, k) => x === other[k]) && sameMorphs(mesh, v, w)) {",
      "if (record.every((x, k) => x === other[k])) {",
    ],
    [
      "equal hashes are equal vertices",
      "if (record.every((x, k) => x === other[k]) && sameMorphs(mesh, v, w)) {",
      "if (sameMorphs(mesh, v, w)) {",
    ],
    [
      "colours do not count",
      "add(a.color, 4);",
      "",
    ],
    [
      "the number of morph entries does not count",
      "if (count !== m.offsets[b + 1] - m.offsets[b]) return false;",
      "",
    ],
    [
      "an index out of range becomes vertex 0",
      "indices: l.indices!.map((v) => v < n ? place[first[v]] : v),",
      "indices: l.indices!.map((v) => place[first[v] ?? 0]),",
    ],
  ],
  "src/ops/split_mesh.ts": [
    [
      "a part may hold one vertex too many",
      "parts[part].order.length + missing(part, corners) <= maxVertices;",
      "parts[part].order.length + missing(part, corners) <= maxVertices + 1;",
    ],
    [
      "a part holds one vertex too few",
      "parts[part].order.length + missing(part, corners) <= maxVertices;",
      "parts[part].order.length + missing(part, corners) < maxVertices;",
    ],
    [
      "every part begins with material 0",
      "const m = material(i);",
      "const m = 0 * material(i);",
    ],
    [
      "the last triangle of a level is left out",
      "for (let i = 0; i + 2 < indices.length; i += 3) {\n      const corners = [indices[i], indices[i + 1], indices[i + 2]];\n      let part",
      "for (let i = 0; i + 3 < indices.length; i += 3) {\n      const corners = [indices[i], indices[i + 1], indices[i + 2]];\n      let part",
    ],
    [
      "every part gets the heightfield",
      "heightfield: i === 0 ? mesh.heightfield : null,",
      "heightfield: mesh.heightfield,",
    ],
    [
      "a vertex forgets the parts that it was in",
      "if (home[v] >= 0) others[home[v]].set(v, local[v]);",
      "",
    ],
  ],
  "src/ops/remap_vertices.ts": [
    [
      "uv takes the width of positions",
      "pickFloats(uv, 2, order)",
      "pickFloats(uv, 3, order)",
    ],
    [
      "morph entries keep their old owners",
      "offsets[i + 1] = offsets[i] + morphs.offsets[v + 1] - morphs.offsets[v];",
      "offsets[i + 1] = offsets[i] + morphs.offsets[i + 1] - morphs.offsets[i];",
    ],
    [
      "joints are not carried along",
      "attributes.joints = pickWords",
      "pickWords",
    ],
  ],
  "src/ops/cap_influences.ts": [
    [
      "the smallest weights stay",
      "b.weight - a.weight || a.joint - b.joint",
      "a.weight - b.weight || a.joint - b.joint",
    ],
    [
      "ties go to the higher joint",
      "b.weight - a.weight || a.joint - b.joint",
      "b.weight - a.weight || b.joint - a.joint",
    ],
    [
      "what is left is not renormalised",
      "list = list.map((e) => ({ ...e, weight: e.weight * wanted / sum }));",
      "",
    ],
    [
      "joint numbers equal to the count pass",
      "if (joint >= jointCount) {",
      "if (joint > jointCount) {",
    ],
    [
      "infinite weights count",
      "if (!(weight > 0 && weight < Infinity)) {",
      "if (!(weight > 0)) {",
    ],
  ],
  "src/ops/filter_morphs.ts": [
    [
      "deltas at the epsilon stay",
      "if (!(top > limit)) {",
      "if (!(top >= limit)) {",
    ],
    [
      "the later of two entries replaces the earlier",
      "earlier[k] = Math.fround(earlier[k] + x)",
      "earlier[k] = x",
    ],
    [
      "targets are not put in order",
      "[...row].sort((a, b) => a[0] - b[0])",
      "[...row]",
    ],
  ],
  "src/ops/clean_triangles.ts": [
    [
      "an index equal to the vertex count passes",
      "if (Math.max(a, b, c) >= mesh.vertexCount) out.outOfRange++;",
      "if (Math.max(a, b, c) > mesh.vertexCount) out.outOfRange++;",
    ],
    [
      "groups keep their old starts",
      "const start = starts[Math.floor(g.start / 3)];",
      "const start = g.start;",
    ],
    [
      "only x is looked at for NaN",
      "position[v * 3] + position[v * 3 + 1] + position[v * 3 + 2],",
      "position[v * 3],",
    ],
  ],
  "src/ops/tangent_signs.ts": [
    [
      "mirrored and plain are exchanged",
      "if (front * texture > 0) mirroredArea",
      "if (front * texture < 0) mirroredArea",
    ],
    [
      "the winding decides, not the normal",
      "const front = face[0] * normal[v * 3] + face[1] * normal[v * 3 + 1] +\n        face[2] * normal[v * 3 + 2];",
      "const front = 1;",
    ],
  ],
  "src/ops/build_lods.ts": [
    [
      "levels quarter the triangles",
      "triangles >> Math.min(level, 20)",
      "triangles >> Math.min(2 * level, 20)",
    ],
    [
      "distances start at 6 radii",
      "* 12 * 2 ** (level - 1)",
      "* 12 * 2 ** (level - 2)",
    ],
  ],
  "src/ops/heightfield.ts": [
    [
      "rows and columns are exchanged in the image",
      "f(o.samples[r * o.width + c] / white)",
      "f(o.samples[c * o.width + r] / white)",
    ],
    [
      "bytes are divided by 256",
      "f(o.samples[r * o.width + c] / white)",
      "f(o.samples[r * o.width + c] / (white + 1))",
    ],
  ],
  "src/ops/payload_frames.ts": [
    [
      "the gradient is divided by the determinant",
      "const s = f(1 / denominator);\n      t = scale(subtract(scale(e1, dv2), scale(e2, dv1)), s);",
      "const n = subtract(scale(e1, dv2), scale(e2, dv1));\n      t = [f(n[0] / denominator), f(n[1] / denominator), f(n[2] / denominator)];",
    ],
    [
      "tangents are not made orthogonal to the normal",
      "normalise(subtract(t, scale(n, dot(n, t))))",
      "normalise(t)",
    ],
    [
      "face normals are added without making them unit",
      "const n = normalise(\n      cross(",
      "const n = ((v: Vector) => v)(\n      cross(",
    ],
  ],
};

/** All faults. */
export const MUTANTS: readonly Mutant[] = Object.entries(EDITS).flatMap((
  [file, edits],
) => edits.map(([name, find, replace]) => ({ name, file, find, replace })));
