/**
 * What `batch` needs of its runtime, on top of what every command needs.
 *
 * @module
 */
import type { PlanHost } from "./plan.ts";
import type { Lane } from "./pool.ts";

/** A file that is only added to, locked against other runs. */
export interface JournalFile {
  /** Adds text at the end. */
  append(text: string): Promise<void>;
  /** Closes it, and removes it when it has served. */
  close(remove: boolean): Promise<void>;
}

/** Folders, workers and the terminal. */
export interface BatchHost extends PlanHost {
  /** Processors that may work at once. */
  readonly processors: number;
  /** True when stderr is a terminal. */
  readonly terminal: boolean;
  /** Makes a folder and those above it. */
  makeFolder(path: string): Promise<void>;
  /** Opens a journal, empty or with what it holds; null when another run has it. */
  openJournal(path: string, empty: boolean): Promise<JournalFile | null>;
  /** Removes what writes of a killed run left in a folder. */
  removeLeftovers(folder: string): Promise<void>;
  /** Opens `count` lanes for conversions at once. */
  openLanes(count: number): Promise<Lane[]>;
}
