/**
 * The command line as a process, with the permissions that the contract names and no others.
 */
import { assert, assertEquals } from "@std/assert";
import { plainRecords, plainVvd } from "../vvd/plain_vvd.ts";
import { plainGltf } from "./plain_gltf.ts";
import { assertSameBytes } from "../same_bytes.ts";
import { jsonLines, sample } from "./fake_host.ts";

const posix = Deno.build.os !== "windows";
const linux = Deno.build.os === "linux";
const entry = new URL("../../cli.ts", import.meta.url).pathname;
const samples = new URL("../../samples/", import.meta.url).pathname;
const DENO = [
  "run",
  "--allow-read",
  "--allow-write",
  entry,
];

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

interface Options {
  cwd?: string;
  env?: Record<string, string>;
  stdin?: "piped" | "null";
}

function spawn(args: readonly string[], o: Options = {}): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [...DENO, ...args],
    cwd: o.cwd ?? samples,
    env: { DENO_NO_UPDATE_CHECK: "1", ...o.env },
    stdin: o.stdin ?? "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function meshwright(args: string | readonly string[], o: Options = {}) {
  const list = typeof args === "string" ? args.split(" ") : args;
  const { code, stdout, stderr } = await spawn(list, o).output();
  return { code, stdout, out: text(stdout), err: text(stderr) };
}

/** A line of shell in which $M is the command and $S the folder of the samples. */
async function shell(line: string, cwd: string, env = {}) {
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", line],
    cwd,
    env: {
      DENO_NO_UPDATE_CHECK: "1",
      M: `${Deno.execPath()} ${DENO.join(" ")}`,
      S: samples,
      ...env,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  return { code, stdout, out: text(stdout), err: text(stderr) };
}

async function inFolder(
  work: (folder: string, names: () => string[]) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(
      folder,
      () => Array.from(Deno.readDirSync(folder), (e) => e.name).sort(),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("meshwright converts with --allow-read and --allow-write alone", async () => {
  await inFolder(async (cwd, names) => {
    const ran = await meshwright([
      "convert",
      `${samples}figure.payload`,
      "b.glb",
    ], { cwd });
    assertEquals([ran.code, ran.out], [0, ""], ran.err);
    assert(ran.err.startsWith("Converted "), ran.err);
    assertEquals(names(), ["b.glb"]);
    // again: refused, and the file is as it was
    const before = Deno.readFileSync(`${cwd}/b.glb`);
    const again = await meshwright([
      "convert",
      `${samples}terrain.payload`,
      "b.glb",
    ], { cwd });
    assertEquals([again.code, again.out], [2, ""]);
    assertSameBytes(Deno.readFileSync(`${cwd}/b.glb`), before);
    assertEquals(names(), ["b.glb"]);
  });
});

Deno.test("meshwright names the permission that is missing and asks nobody", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", entry, "inspect", `${samples}lantern.vvd`],
    env: { DENO_NO_UPDATE_CHECK: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
  const { code, stdout, stderr } = await child.output();
  assertEquals([code, text(stdout)], [3, ""]);
  assert(text(stderr).includes("--allow-read"), text(stderr));
  assert(text(stderr).includes("[FILE-READ]"), text(stderr));
});

Deno.test({
  name: "meshwright passes a mesh through a pipe of three commands",
  ignore: !posix,
  async fn() {
    await inFolder(async (cwd) => {
      const ran = await shell(
        'set -o pipefail; $M convert - - --to gltf <"$S/figure.payload" | ' +
          "$M convert - - --to payload | tee c.payload | $M inspect - --json",
        cwd,
      );
      assertEquals(ran.code, 0, ran.err);
      assertEquals(jsonLines(ran.out)[0].format, "payload");
      assertEquals(ran.err.match(/^Converted - /gm)?.length, 2);
      assertSameBytes(
        Deno.readFileSync(`${cwd}/c.payload`),
        sample("figure.payload"),
      );
    });
  },
});

Deno.test("meshwright writes stdout as the very bytes of the file", async () => {
  await inFolder(async (cwd) => {
    const input = `${samples}terrain.payload`;
    const pipe = await meshwright(["convert", input, "-", "--to", "gltf"], {
      cwd,
    });
    await meshwright(["convert", input, "b.glb"], { cwd });
    assertSameBytes(pipe.stdout, Deno.readFileSync(`${cwd}/b.glb`));
    assert(pipe.err.startsWith("Converted "), pipe.err);
  });
});

Deno.test("meshwright gives the exit codes of the contract", async () => {
  await inFolder(async (cwd, names) => {
    Deno.writeFileSync(
      `${cwd}/many.vvd`,
      plainVvd({ counts: [65_537], vertices: plainRecords(65_537) }),
    );
    const s = samples;
    for (
      const [line, want] of [
        [`inspect ${s}lantern.vvd`, 0],
        [`convert ${s}lantern.vvd b.glb --strict`, 1],
        [`convert ${s}lantern.vvd`, 2],
        [`inspect ${s}`, 3],
        [`convert many.vvd b.payload`, 4],
        [`convert ${s}lantern.vvd no/b.glb`, 5],
        [`inspect none.vvd many.vvd ${s}lantern.vvd`, 3],
      ] as const
    ) {
      const ran = await meshwright(line, { cwd });
      assertEquals(ran.code, want, `${line}: ${ran.err}`);
      assert(!ran.err.includes("Uncaught"), ran.err);
      if (want === 4) assert(/65537.*65536/.test(ran.err), ran.err);
    }
    assertEquals(names(), ["many.vvd"]);
  });
});

Deno.test("meshwright takes odd file names as they are", async () => {
  await inFolder(async (cwd, names) => {
    Deno.copyFileSync(`${samples}lantern.vvd`, `${cwd}/007.vvd`);
    const ran = await meshwright(
      ["replay", "--lod", "1", "--", "007.vvd", "-odd name.vvd"],
      { cwd },
    );
    assertEquals(ran.code, 0, ran.err);
    assertEquals(names(), ["-odd name.vvd", "007.vvd"]);
  });
});

Deno.test("meshwright reads the buffer beside a .gltf and none above it", async () => {
  await inFolder(async (cwd) => {
    Deno.mkdirSync(`${cwd}/in`);
    const { json, bin } = plainGltf(3, "strip%20one.bin");
    Deno.writeTextFileSync(`${cwd}/in/a.gltf`, json);
    Deno.writeFileSync(`${cwd}/in/strip one.bin`, bin);
    Deno.writeFileSync(`${cwd}/up.bin`, bin);
    Deno.writeTextFileSync(`${cwd}/in/up.gltf`, plainGltf(3, "../up.bin").json);
    Deno.writeTextFileSync(
      `${cwd}/in/abs.gltf`,
      plainGltf(3, `${cwd}/up.bin`).json,
    );
    const ran = await meshwright("validate in/a.gltf", { cwd });
    assertEquals(ran.code, 0, ran.out + ran.err);
    const up = await meshwright("inspect in/up.gltf in/abs.gltf", { cwd });
    assertEquals([up.code, up.out], [3, ""]);
    assertEquals(up.err.match(/GLTF-EXTERNAL/g)?.length, 2, up.err);
  });
});

Deno.test({
  name: "meshwright ends quietly when the reader of its output has enough",
  ignore: !posix,
  async fn() {
    await inFolder(async (cwd) => {
      const ran = await shell(
        '$M convert "$S/terrain.payload" - --to gltf --quiet | head -c 10; echo "${PIPESTATUS[0]}" >&2',
        cwd,
      );
      assertEquals([ran.stdout.length, ran.err], [10, "0\n"]);
      const lines = await shell(
        '$M explain | head -n 1; echo "${PIPESTATUS[0]}" >&2',
        cwd,
      );
      assertEquals([lines.out.split("\n").length, lines.err], [2, "0\n"]);
    });
  },
});

Deno.test({
  name:
    "meshwright exits 5 when stdout is full, and keeps its exit code when stderr is",
  ignore: !linux,
  async fn() {
    await inFolder(async (cwd) => {
      const out = await shell(
        '$M convert "$S/lantern.vvd" - --to gltf --quiet >/dev/full',
        cwd,
      );
      assertEquals(out.code, 5);
      assert(out.err.includes("[FILE-WRITE]"), out.err);
      assertEquals((await shell("$M formats >/dev/full", cwd)).code, 5);
      assertEquals((await shell("$M inspect none 2>/dev/full", cwd)).code, 3);
      assertEquals((await shell("$M inspect - <.", cwd)).code, 3);
    });
  },
});

Deno.test({
  name:
    "meshwright colours on a terminal, neither in a pipe nor with NO_COLOR" +
    (hasScript() ? "" : " [SKIPPED: needs script(1) of util-linux]"),
  ignore: !hasScript(),
  async fn() {
    await inFolder(async (cwd) => {
      const line = (redirect: string) =>
        `script -qec '$M validate "$S/lantern.vvd" none.vvd${redirect}' /dev/null; cat out 2>/dev/null; exit 0`;
      // deno tells colours by the terminal and NO_COLOR alone
      const plain = { NO_COLOR: "" };
      const terminal = await shell(`unset NO_COLOR; ${line("")}`, cwd, plain);
      assert(terminal.out.includes("\x1b[32mok\x1b[39m"), terminal.out);
      assert(terminal.out.includes("\x1b[31merror\x1b[39m"), terminal.out);
      const off = await shell(line(""), cwd, { NO_COLOR: "1" });
      assert(off.out.includes("lantern.vvd: ok"), off.out);
      assert(!off.out.includes("\x1b["), off.out);
      // stdout goes to a file: that must stay plain
      const file = await shell(`unset NO_COLOR; ${line(" >out")}`, cwd, plain);
      assert(file.out.includes("lantern.vvd: ok\n"), file.out);
      assert(!file.out.includes("\x1b["), file.out);
    });
  },
});

Deno.test({
  name: "meshwright shows progress on a terminal, none where stderr is a file" +
    (hasScript() ? "" : " [SKIPPED: needs script(1) of util-linux]"),
  ignore: !hasScript(),
  async fn() {
    await inFolder(async (cwd) => {
      // a payload keeps what stands behind it
      const large = new Uint8Array(20 * 2 ** 20);
      large.set(sample("figure.payload"));
      Deno.writeFileSync(`${cwd}/large.payload`, large);
      const line = (redirect: string) =>
        `script -qec '$M convert large.payload b.payload --force${redirect}' /dev/null`;
      const { code, out } = await shell(line(""), cwd);
      assertEquals(code, 0, out);
      assert(out.includes("\r\x1b[KReading large.payload: "), out);
      assert(out.includes("\r\x1b[KWriting b.payload: "), out);
      assert(out.includes("\r\x1b[KConverted large.payload "), out);
      assertSameBytes(Deno.readFileSync(`${cwd}/b.payload`), large);
      const file = await shell(line(" 2>err"), cwd);
      assertEquals([file.code, file.out], [0, ""]);
      const err = Deno.readTextFileSync(`${cwd}/err`);
      assert(err.startsWith("Converted ") && !err.includes("\x1b"), err);
    });
  },
});

function hasScript(): boolean {
  if (!linux) return false;
  try {
    const { stdout } = new Deno.Command("script", { args: ["--version"] })
      .outputSync();
    return text(stdout).includes("util-linux");
  } catch {
    return false;
  }
}

Deno.test({
  name: "meshwright exits 130 on Ctrl-C while it waits for stdin",
  ignore: !posix,
  async fn() {
    await inFolder(async (cwd, names) => {
      const child = spawn(["inspect", `${samples}lantern.vvd`, "-"], {
        cwd,
        stdin: "piped",
      });
      // what it prints of the first file shows that it is running
      const reader = child.stdout.getReader();
      await reader.read();
      child.kill("SIGINT");
      const { code } = await child.status;
      assertEquals(code, 130);
      assertEquals(names(), []);
      await reader.cancel();
      await child.stdin.close().catch(() => {});
      await child.stderr.cancel();
    });
  },
});

/**
 * Runs a split conversion that stands still in the middle of its writing (its second part is a pipe that nobody reads) and
 * sends a signal then.
 */
async function interrupted(
  signal: Deno.Signal,
): Promise<{ code: number; first: string; names: string[] }> {
  let out = { code: -1, first: "", names: [] as string[] };
  await inFolder(async (cwd, names) => {
    Deno.writeFileSync(
      `${cwd}/many.vvd`,
      plainVvd({ counts: [65_540], vertices: plainRecords(65_540) }),
    );
    Deno.writeTextFileSync(`${cwd}/b.0.payload`, "old");
    new Deno.Command("mkfifo", { args: [`${cwd}/b.1.payload`] }).outputSync();
    const child = spawn(
      ["convert", "many.vvd", "b.payload", "--split", "--force"],
      { cwd },
    );
    const written = () =>
      names().some((n) =>
        n.endsWith(".tmp") && Deno.statSync(`${cwd}/${n}`).size > 3_000_000
      );
    for (let i = 0; i < 3000 && !written(); i++) {
      await new Promise((done) => setTimeout(done, 10));
    }
    assert(written(), "the first part is on the disk");
    child.kill(signal);
    const { code } = await child.output();
    out = {
      code,
      first: Deno.readTextFileSync(`${cwd}/b.0.payload`),
      names: names(),
    };
  });
  return out;
}

Deno.test({
  name:
    "meshwright exits 130 on Ctrl-C in the middle of writing: the old file is whole, no other is left",
  ignore: !posix,
  async fn() {
    const { code, first, names } = await interrupted("SIGINT");
    assertEquals([code, first], [130, "old"]);
    assertEquals(names, ["b.0.payload", "b.1.payload", "many.vvd"]);
  },
});

Deno.test({
  name: "meshwright cleans up on a polite kill too, and exits 143",
  ignore: !posix,
  async fn() {
    const { code, first, names } = await interrupted("SIGTERM");
    assertEquals([code, first], [143, "old"]);
    assertEquals(names, ["b.0.payload", "b.1.payload", "many.vvd"]);
  },
});

Deno.test({
  name:
    "meshwright leaves the old file whole when it is killed in the middle of writing",
  ignore: !posix,
  async fn() {
    const { code, first } = await interrupted("SIGKILL");
    assertEquals([code, first], [137, "old"]);
  },
});
