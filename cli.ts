/**
 * The command `meshwright`.
 *
 * ```sh
 * deno run --allow-read --allow-write jsr:@meshwright/kit/cli inspect model.vvd
 * ```
 *
 * @module
 */
import { denoHost } from "./src/cli/deno_host.ts";
import { run } from "./src/cli/main.ts";

export { run } from "./src/cli/main.ts";
export type { Host } from "./src/cli/host.ts";
export type { Content, Pieces } from "./src/core/pieces.ts";
export type { BatchHost, JournalFile } from "./src/cli/batch/batch_host.ts";
export type { PlanHost } from "./src/cli/batch/plan.ts";
export type { Answer, Lane } from "./src/cli/batch/pool.ts";
export type { Done, Job } from "./src/cli/batch/work.ts";
export type { FileRecord, Row } from "./src/cli/batch/manifest.ts";

if (import.meta.main) Deno.exit(await run(denoHost()));
