// What kernels.wasm exports. No imports, no runtime allocator, no state but the arena's top.
export { arenaAlloc, arenaMark, arenaRelease } from "./arena";
export { replaySplit } from "./replay_split";
export { morphPlace, morphScan } from "./morph_scan";
export { transformNormals } from "./transform_normals";
export { mikkAccumulate, mikkDerive, mikkFinish, mikkGroups, mikkNeighbours } from "./mikktspace";
export { mikkIsWide, mikkUnweld } from "./mikktspace_grid";
export { mikkLastBucket } from "./mikktspace_last_bucket";
export { mikkMapCorners, mikkWeld } from "./mikktspace_weld";
export { mikkCutQuads, mikkFinishQuads, mikkOrientQuads } from "./mikktspace_quads";
export { mikkAcos } from "./mikktspace_acos";
