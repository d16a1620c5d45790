/**
 * A disk that is soon full: a tmpfs of a few kilobytes.
 *
 * @module
 */
import { assert } from "@std/assert";

/** Only root may mount, and not in every container. */
export function canMount(): boolean {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return false;
  const status = Deno.readTextFileSync("/proc/self/status");
  const caps = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? 0}`);
  return (caps >> 21n & 1n) === 1n; // CAP_SYS_ADMIN
}

function command(name: string, ...args: string[]): void {
  const { success, stderr } = new Deno.Command(name, { args }).outputSync();
  assert(success, `${name}: ${new TextDecoder().decode(stderr)}`);
}

/**
 * Runs work on a small disk and takes it away again.
 *
 * @param folder Where it is mounted; made when it is not there.
 * @param size Its size, as mount takes it.
 * @param work Gets a function that mounts it again with other options.
 */
export async function onSmallDisk(
  folder: string,
  size: string,
  work: (mount: (options: string) => void) => Promise<void>,
): Promise<void> {
  Deno.mkdirSync(folder, { recursive: true });
  command("mount", "-t", "tmpfs", "-o", `size=${size}`, "none", folder);
  try {
    await work((options) => command("mount", "-o", options, folder));
  } finally {
    command("umount", folder);
  }
}
