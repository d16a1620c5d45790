// VVD fixup replay fused with the split of 48-byte vertex records into attribute arrays.
//
// Record (source: VVD version 4): f32 weight[3] @0, u8 bone[3] @12, u8 numbones @15, f32 position[3] @16,
// f32 normal[3] @28, f32 uv[2] @40. As three vectors: a = [w0 w1 w2 bones], b = [px py pz nx], c = [ny nz u v].
// A run is a pair of u32: first record, number of records. Runs are followed in table order, which is mesh order.
//
// Four vertices at a time are twelve loads and twelve full stores. A single vertex writes its 12-byte streams with
// 16-byte stores whose excess the next vertex overwrites, so vertices go in ascending order and every 12-byte output
// needs 4 spare bytes behind it. Design note: replay_split.md.

/** Four 12-byte values that are the first three lanes of four vectors, stored as three vectors. */
function storeTriples(to: usize, v0: v128, v1: v128, v2: v128, v3: v128): void {
  // the inner shuffle makes a blend out of what would be a two-operand permutation
  v128.store(to, v128.shuffle<f32>(v0, v128.shuffle<f32>(v1, v1, 0, 0, 0, 0), 0, 1, 2, 7));
  v128.store(to, v128.shuffle<f32>(v1, v2, 1, 2, 4, 5), 16);
  v128.store(to, v128.shuffle<f32>(v2, v3, 2, 4, 5, 6), 32);
}

/**
 * Splits `runCount` runs of `records`. Outputs, per vertex: position 12 B, normal 12 B, uv 8 B, weights 12 B, bones 4 B
 * (three bone numbers and numbones). Tangent records (16 B) follow the same runs when `tangents` is not 0.
 * Every run must lie inside the records: the host checks it.
 */
export function replaySplit(
  records: usize, tangents: usize, runs: usize, runCount: u32,
  position: usize, normal: usize, uv: usize, weights: usize, bones: usize, tangentOut: usize,
): void {
  for (const last = runs + (<usize>runCount << 3); runs < last; runs += 8) {
    const first = <usize>load<u32>(runs);
    const count = <usize>load<u32>(runs, 4);
    let p = records + first * 48;
    const end = p + count * 48;
    assert(end >= p && end <= <usize>memory.size() << 16); // debug build only
    const quads = p + (count & ~3) * 48;
    while (p < quads) {
      const a0 = v128.load(p), b0 = v128.load(p, 16), c0 = v128.load(p, 32);
      const a1 = v128.load(p, 48), b1 = v128.load(p, 64), c1 = v128.load(p, 80);
      const a2 = v128.load(p, 96), b2 = v128.load(p, 112), c2 = v128.load(p, 128);
      const a3 = v128.load(p, 144), b3 = v128.load(p, 160), c3 = v128.load(p, 176);
      storeTriples(weights, a0, a1, a2, a3);
      const bones01 = v128.shuffle<f32>(a0, a1, 3, 3, 7, 7);
      const bones23 = v128.shuffle<f32>(a2, a3, 3, 3, 7, 7);
      v128.store(bones, v128.shuffle<f32>(bones01, bones23, 0, 2, 4, 6));
      storeTriples(position, b0, b1, b2, b3);
      // a normal is b[3] c[0] c[1]
      v128.store(normal, v128.shuffle<f32>(v128.shuffle<f32>(b0, c0, 3, 4, 5, 6), b1, 0, 1, 2, 7));
      v128.store(normal, v128.shuffle<f32>(c1, v128.shuffle<f32>(b2, c2, 3, 4, 5, 6), 0, 1, 4, 5), 16);
      v128.store(normal, v128.shuffle<f32>(c2, v128.shuffle<f32>(b3, c3, 2, 3, 4, 5), 1, 5, 6, 7), 32);
      v128.store(uv, v128.shuffle<f32>(c0, c1, 2, 3, 6, 7));
      v128.store(uv, v128.shuffle<f32>(c2, c3, 2, 3, 6, 7), 16);
      p += 192;
      weights += 48; bones += 16; position += 48; normal += 48; uv += 32;
    }
    while (p < end) {
      const a = v128.load(p), b = v128.load(p, 16), c = v128.load(p, 32);
      v128.store(weights, a);
      v128.store32_lane(bones, a, 3);
      v128.store(position, b);
      v128.store(normal, v128.shuffle<f32>(b, c, 3, 4, 5, 6));
      v128.store64_lane(uv, c, 1);
      p += 48;
      weights += 12; bones += 4; position += 12; normal += 12; uv += 8;
    }
    if (tangents) {
      // runs are short where this is used: a loop beats the call that memory.copy makes
      let q = tangents + (first << 4);
      for (const stop = q + (count << 4); q < stop; q += 16, tangentOut += 16) v128.store(tangentOut, v128.load(q));
    }
  }
}
