/**
 * Folders of small models, and the command on them: in this process with its output caught, or as a process that can be
 * killed.
 *
 * @module
 */
import { denoHost } from "../../src/cli/deno_host.ts";
import type { Host } from "../../src/cli/host.ts";
import { run } from "../../src/cli/main.ts";
import type { Manifest } from "../../src/cli/batch/manifest.ts";
import { serialise } from "../../src/formats/payload/mod.ts";

const entry = new URL("../../cli.ts", import.meta.url).pathname;

/** A static payload of one triangle, another one for every seed. */
export function triangle(seed: number): Uint8Array<ArrayBuffer> {
  const corner = (x: number, y: number) => ({
    pos: [x, y, seed] as [number, number, number],
    normal: [0, 0, 1] as [number, number, number],
    tangent: [1, 0, 0] as [number, number, number],
    color: [1, 1, 1] as [number, number, number],
    uv: [x, 1 - y] as [number, number],
  });
  return serialise([corner(0, 0), corner(1, 0), corner(0, 1)], [0, 1, 2]);
}

/** Bytes of a shipped sample. */
export function sample(name: string): Uint8Array<ArrayBuffer> {
  return Deno.readFileSync(new URL(`../../samples/${name}`, import.meta.url));
}

/** A folder that goes away afterwards. */
export async function inFolder(
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Writes files below a folder. */
export function put(
  folder: string,
  files: Record<string, Uint8Array | string>,
): void {
  for (const [name, data] of Object.entries(files)) {
    const path = `${folder}/${name}`;
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    if (typeof data === "string") Deno.writeTextFileSync(path, data);
    else Deno.writeFileSync(path, data);
  }
}

/** Every file below a folder, hidden ones too, with its bytes in hexadecimal: what two folders are compared by. */
export async function snapshot(
  folder: string,
): Promise<Record<string, string>> {
  const out: [string, string][] = [];
  const walk = async (path: string) => {
    for (const entry of Deno.readDirSync(`${folder}/${path}`)) {
      const name = path + entry.name;
      if (entry.isDirectory) await walk(`${name}/`);
      else {
        const hash = await crypto.subtle.digest(
          "SHA-256",
          Deno.readFileSync(`${folder}/${name}`),
        );
        out.push([name, new Uint8Array(hash).toHex()]);
      }
    }
  };
  await walk("");
  return Object.fromEntries(out.sort(([a], [b]) => a < b ? -1 : 1));
}

/** The manifest in an output folder. */
export function manifest(outDir: string): Manifest {
  return JSON.parse(Deno.readTextFileSync(`${outDir}/manifest.json`));
}

/** Exit code and output of a command. */
export interface Ran {
  code: number;
  out: string;
  err: string;
}

// made once: it listens to signals as long as the process lives
const host = denoHost([]);

/**
 * Runs `meshwright batch` in this process, on the real file system. Without workers, unless the test asks for them: under
 * `deno test` each would be type-checked first.
 */
export async function batch(
  args: readonly string[],
  change: Partial<Host> = {},
): Promise<Ran> {
  let [out, err] = ["", ""];
  const code = await run({
    ...host,
    args: ["batch", ...args.includes("--jobs") ? [] : ["--jobs=1"], ...args],
    out: (data) => {
      out += typeof data === "string" ? data : new TextDecoder().decode(data);
      return Promise.resolve();
    },
    err: (text) => {
      err += text;
      return Promise.resolve();
    },
    ...change,
  });
  return { code, out, err };
}

/** The host's part for batches, to be changed in a test. */
export const batchHost = host.batch!;

/** Starts `meshwright batch` as a process with the permissions of the contract. */
export function spawnBatch(
  args: readonly string[],
  o: { cwd: string; env?: Record<string, string> },
): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--allow-read", "--allow-write"],
      ...[entry, "batch", ...args],
    ],
    cwd: o.cwd,
    env: { DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1", ...o.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Runs it to its end. */
export function runBatchProcess(
  args: readonly string[],
  o: { cwd: string; env?: Record<string, string> },
): Promise<Ran> {
  return ended(spawnBatch(args, o));
}

/** What a process left behind when it has ended. */
export async function ended(child: Deno.ChildProcess): Promise<Ran> {
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), err: text(stderr) };
}
