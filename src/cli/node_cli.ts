/**
 * The command `meshwright` for Node and Bun, as a function.
 *
 * ```js ignore
 * import { nodeHost, run } from "@meshwright/kit/cli";
 *
 * process.exitCode = await run(nodeHost(["inspect", "model.vvd"]));
 * ```
 *
 * @module
 */
export { run } from "./main.ts";
export { nodeHost } from "./node_host.ts";
export type { Host } from "./host.ts";
export type { BatchHost, JournalFile } from "./batch/batch_host.ts";
export type { PlanHost } from "./batch/plan.ts";
export type { Answer, Lane } from "./batch/pool.ts";
export type { Done, Job } from "./batch/work.ts";
export type { FileRecord, Row } from "./batch/manifest.ts";
