import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { convert } from "../../src/convert/convert.ts";
import { meshError } from "../../src/core/errors.ts";
import { LaneBroken } from "../../src/cli/batch/pool.ts";
import {
  batch,
  batchHost,
  inFolder,
  manifest,
  put,
  runBatchProcess,
  sample,
  snapshot,
  spawnBatch,
  triangle,
} from "./batches.ts";
import { corpusBytes, corpusFiles, corpusTest } from "../corpus.ts";
import { findProgram } from "../runtimes/programs.ts";
import { canMount, onSmallDisk } from "../small_disk.ts";

const JOURNAL = ".meshwright-batch.journal";

/** Three samples and two triangles in folders. */
function putGood(folder: string): void {
  put(folder, {
    "in/lantern.vvd": sample("lantern.vvd"),
    "in/a/figure.payload": sample("figure.payload"),
    "in/a/b/terrain.payload": sample("terrain.payload"),
    "in/c/1.payload": triangle(1),
    "in/c/2.payload": triangle(2),
  });
}

const hex = async (bytes: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();

/** Times at which files were last written. */
function times(folder: string, names: readonly string[]): (number | null)[] {
  return names.map((name) =>
    Deno.statSync(`${folder}/${name}`).mtime?.getTime() ?? null
  );
}

Deno.test("batch gives the bytes of convert, the folders of the input and a manifest with hashes", async () => {
  await inFolder(async (folder) => {
    putGood(folder);
    const ran = await batch([
      `${folder}/in/**/*.{vvd,payload}`,
      ...["--out-dir", `${folder}/out`, "--to", "glb"],
    ]);
    assertEquals([ran.code, ran.out], [0, ""], ran.err);
    assertEquals(
      ran.err,
      `Converted 5 of 5 files to gltf in ${folder}/out\n`,
    );
    const made = manifest(`${folder}/out`);
    assertEquals(
      made.files.map((f) => f.out),
      [
        "a/b/terrain.glb",
        "a/figure.glb",
        "c/1.glb",
        "c/2.glb",
        "lantern.glb",
      ],
    );
    for (const row of made.files) {
      const input = Deno.readFileSync(row.in);
      const { outputs, report } = await convert(input, {
        to: "gltf",
        name: row.in,
        outName: /([^/]*)\.glb$/.exec(row.out)![1],
      });
      const output = Deno.readFileSync(`${folder}/out/${row.out}`);
      assertEquals(output, outputs[0], row.in);
      assertEquals([row.status, row.exit, row.error], ["ok", 0, null]);
      assertEquals(row.losses, report.loss.length);
      assertEquals(row.bytes, { in: input.length, out: output.length });
      assertEquals(row.sha256, {
        in: await hex(input),
        out: await hex(output),
      });
    }
    assertEquals(Object.keys(await snapshot(`${folder}/out`)).length, 6);
  });
});

Deno.test("batch goes on past bad files and exits with the worst code", async () => {
  await inFolder(async (folder) => {
    putGood(folder);
    put(folder, {
      "in/bad.vvd": "IDSV",
      "in/a/empty.payload": "",
      "in/zero.vvd": new Uint8Array(100),
    });
    const ran = await batch([
      `${folder}/in/**/*`,
      `${folder}/in/missing.vvd`,
      ...["--out-dir", `${folder}/out`, "--to", "glb"],
    ]);
    assertEquals(ran.code, 3);
    const made = manifest(`${folder}/out`);
    assertEquals(made.exit, 3);
    assertEquals(made.counts, { files: 9, ok: 5, failed: 4, skipped: 0 });
    const codes = made.files.filter((f) => f.error !== null)
      .map((f) => [f.in.slice(folder.length + 4), f.error!.code, f.exit]);
    assertEquals(codes.map(([name]) => name), [
      "a/empty.payload",
      "bad.vvd",
      "missing.vvd",
      "zero.vvd",
    ]);
    assertEquals(codes[1], ["bad.vvd", "VVD-TRUNCATED", 3]);
    assertEquals(codes[2], ["missing.vvd", "FILE-READ", 3]);
    assertEquals(codes[3], ["zero.vvd", "VVD-ZERO", 3]);
    // the same files, one by one, in the order of the manifest
    const lines = ran.err.trimEnd().split("\n");
    assertEquals(
      lines.slice(0, -1).map((l) => /^error: .*\/in\/(\S+?)[: ]/.exec(l)?.[1]),
      codes.map(([name]) => String(name)),
    );
    assertMatch(lines.at(-1)!, /^Converted 5 of 9 files .*, 4 failed$/);
    const files = await snapshot(`${folder}/out`);
    assertEquals(Object.keys(files).length, 6, "nothing of the bad ones");
  });
});

Deno.test("batch writes the same manifest and bytes for --jobs 1, 2 and 8, in every locale and time zone", async () => {
  await inFolder(async (folder) => {
    putGood(folder);
    put(folder, { "in/bad.vvd": "IDSV", "in/c/1.vvd": triangle(3) });
    for (let i = 3; i < 12; i++) {
      put(folder, { [`in/d/${i}.payload`]: triangle(i) });
    }
    const line = ["in/**/*", "--to", "glb", "--out-dir"];
    const env = {
      LANG: "tr_TR.UTF-8",
      LC_ALL: "tr_TR.UTF-8",
      TZ: "Asia/Kolkata",
    };
    const runs = await Promise.all([
      runBatchProcess([...line, "out1", "--jobs", "1"], { cwd: folder }),
      runBatchProcess([...line, "out2", "--jobs", "2"], { cwd: folder, env }),
      runBatchProcess([...line, "out8", "--jobs", "8"], { cwd: folder }),
    ]);
    assertEquals(runs.map((r) => r.code), [3, 3, 3]);
    const [one, ...others] = await Promise.all(
      ["out1", "out2", "out8"].map((name) => snapshot(`${folder}/${name}`)),
    );
    assertEquals(Object.keys(one).length, 15, "14 outputs and the manifest");
    for (const other of others) assertEquals(other, one);
    const [err] = runs.map((r) => r.err.replaceAll(/out\d/g, "out"));
    for (const r of runs) assertEquals(r.err.replaceAll(/out\d/g, "out"), err);
  });
});

Deno.test("batch needs no read permission beyond its files: without it for the worker, it works in place", async () => {
  await inFolder(async (folder) => {
    putGood(folder);
    const entry = new URL("../../cli.ts", import.meta.url).pathname;
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--no-prompt", "--allow-read=in,out", "--allow-write=out"],
        ...[entry, "batch", "in/**/*", "--out-dir=out", "--to=glb", "--jobs=2"],
      ],
      cwd: folder,
      env: { DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
      stdin: "null",
    }).output();
    assertEquals(
      [code, new TextDecoder().decode(stderr)],
      [0, "Converted 5 of 5 files to gltf in out\n"],
    );
  });
});

Deno.test("batch --resume keeps what has the same input, options and output, and does the rest again", async () => {
  await inFolder(async (folder) => {
    putGood(folder);
    const out = `${folder}/out`;
    const line = [`${folder}/in/**/*`, "--out-dir", out, "--to", "glb"];
    assertEquals((await batch(line)).code, 0);
    const whole = await snapshot(out);
    const names = ["lantern.glb", "a/figure.glb", "c/1.glb"];
    const before = times(out, names);

    const again = await batch([...line, "--resume"]);
    assertEquals(again.code, 0, again.err);
    assertStringIncludes(again.err, "5 of 5 files");
    assertStringIncludes(again.err, "5 of them earlier");
    assertEquals(times(out, names), before, "not written again");
    assertEquals(await snapshot(out), whole);

    // an output that was changed, one that is gone, a left-over, and a new input
    put(out, { "c/1.glb": "x", "c/.meshwright-0123abcd.tmp": "half" });
    Deno.removeSync(`${out}/a/figure.glb`);
    put(folder, { "in/new.payload": triangle(9) });
    const mended = await batch([...line, "--resume"]);
    assertEquals(mended.code, 0, mended.err);
    assertStringIncludes(mended.err, "6 of 6 files");
    assertStringIncludes(mended.err, "3 of them earlier");
    const { "new.glb": added, "manifest.json": m1, ...rest } = await snapshot(
      out,
    );
    const { "manifest.json": m2, ...first } = whole;
    assertEquals(rest, first);
    assert(added && m1 !== m2);

    // an input that changed, other options
    put(folder, { "in/c/2.payload": triangle(77) });
    const changed = await batch([...line, "--resume"]);
    assertStringIncludes(changed.err, "5 of them earlier");
    const other = await batch([...line, "--resume", "--tangents", "drop"]);
    assertEquals(other.err.includes("earlier"), false, other.err);
    assertEquals(manifest(out).options, { tangents: "drop" });
  });
});

Deno.test("batch --resume sees a companion that changed", async () => {
  await inFolder(async (folder) => {
    const out = `${folder}/out`;
    const { outputs } = await convert(triangle(1), { to: "gltf" });
    // the same JSON beside another buffer
    const text = (view: DataView) =>
      new TextDecoder().decode(
        outputs[0].subarray(20, 20 + view.getUint32(12, true)),
      );
    const view = new DataView(outputs[0].buffer);
    const json = JSON.parse(text(view));
    json.buffers[0].uri = "a.bin";
    const bin = outputs[0].slice(28 + view.getUint32(12, true));
    put(folder, { "in/a.gltf": JSON.stringify(json), "in/a.bin": bin });
    const line = [`${folder}/in/*.gltf`, "--out-dir", out, "--to", "payload"];
    assertEquals((await batch(line)).code, 0);
    const [row] = manifest(out).files;
    assertEquals(row.companions, [
      { file: "a.bin", sha256: await hex(bin), bytes: bin.length },
    ]);
    assertStringIncludes(
      (await batch([...line, "--resume"])).err,
      "1 of them earlier",
    );
    bin[0] ^= 1;
    put(folder, { "in/a.bin": bin });
    const changed = await batch([...line, "--resume"]);
    assertEquals(changed.err.includes("earlier"), false, changed.err);
  });
});

Deno.test("batch refuses a folder with a manifest, unless it is told to go on or begin again", async () => {
  await inFolder(async (folder) => {
    putGood(folder);
    const out = `${folder}/out`;
    const line = [`${folder}/in/**/*`, "--out-dir", out, "--to", "glb"];
    await batch(line);
    const whole = await snapshot(out);
    const refused = await batch(line);
    assertEquals(refused.code, 2);
    assertStringIncludes(refused.err, "--resume");
    const dry = await batch([...line, "--dry-run"]);
    assertEquals([dry.code, dry.err], [2, refused.err]);
    assertEquals(await snapshot(out), whole);
    put(out, { "c/1.glb": "x" });
    assertEquals((await batch([...line, "--force"])).code, 0);
    assertEquals(await snapshot(out), whole);
  });
});

Deno.test("batch leaves a file alone that it did not write, unless --force is given", async () => {
  await inFolder(async (folder) => {
    putGood(folder);
    const out = `${folder}/out`;
    put(out, { "c/1.glb": "mine" });
    const line = [`${folder}/in/**/*`, "--out-dir", out, "--to", "glb"];
    const dry = await batch([...line, "--dry-run"]);
    assertEquals(dry.code, 2);
    assertStringIncludes(dry.err, "Pass --force to overwrite");
    for (const how of [[], ["--resume"]]) {
      const ran = await batch([...line, ...how]);
      assertEquals(ran.code, 2, ran.err);
      assertStringIncludes(ran.err, "Pass --force to overwrite");
      assertEquals(Deno.readTextFileSync(`${out}/c/1.glb`), "mine");
      assertEquals(
        manifest(out).files.map((f) => f.status),
        ["ok", "ok", "skipped", "ok", "ok"],
      );
    }
    assertEquals((await batch([...line, "--resume", "--force"])).code, 0);
    assert(Deno.readTextFileSync(`${out}/c/1.glb`).startsWith("glTF"));
  });
});

Deno.test("batch reports collisions and writes the first of the files", async () => {
  await inFolder(async (folder) => {
    put(folder, {
      "in/x.payload": triangle(1),
      "in/x.vvd": sample("lantern.vvd"),
    });
    const out = `${folder}/out`;
    const ran = await batch([
      `${folder}/in/*`,
      ...["--out-dir", out, "--to", "glb", "--json", "--quiet"],
    ]);
    assertEquals(ran.code, 2);
    const made = JSON.parse(ran.out);
    assertEquals(made.files.map((f: { status: string }) => f.status), [
      "ok",
      "skipped",
    ]);
    assertEquals(made.files[1].error.code, "BATCH-COLLISION");
    const { outputs } = await convert(triangle(1), { to: "gltf", name: "x" });
    assertEquals(Deno.readFileSync(`${out}/x.glb`).length, outputs[0].length);
  });
});

Deno.test("batch --json prints the manifest on one line", async () => {
  await inFolder(async (folder) => {
    putGood(folder);
    const out = `${folder}/out`;
    const ran = await batch([
      `${folder}/in/**/*`,
      ...["--out-dir", out, "--to", "glb", "--json"],
    ]);
    assertEquals(ran.out.split("\n").length, 2);
    assertEquals(JSON.parse(ran.out), manifest(out));
    assertEquals(JSON.parse(ran.out).schema, "meshwright/batch/1");
  });
});

Deno.test("batch --strict refuses losses, --dry-run writes nothing", async () => {
  await inFolder(async (folder) => {
    putGood(folder);
    const out = `${folder}/out`;
    const line = [`${folder}/in/**/*`, "--out-dir", out, "--to", "glb"];
    const dry = await batch([...line, "--dry-run", "--json", "--strict"]);
    assertEquals(dry.code, 1, dry.err);
    assertEquals(Array.from(Deno.readDirSync(folder), (e) => e.name), ["in"]);
    const strict = await batch([...line, "--strict"]);
    assertEquals(strict.code, 1);
    const rows = manifest(out).files;
    assertEquals(rows.map((r) => r.error?.code ?? null), [
      ...[null, null, null, null],
      "BATCH-STRICT",
    ]);
    assertEquals({ ...JSON.parse(dry.out) }, manifest(out));
    assertEquals(
      Object.keys(await snapshot(out)).includes("lantern.glb"),
      false,
    );
  });
});

Deno.test("batch lists the parts of an output and keeps them under --resume", async () => {
  await inFolder(async (folder) => {
    put(folder, { "in/a.payload": triangle(1), "in/b.payload": triangle(2) });
    const out = `${folder}/out`;
    const line = [`${folder}/in/*`, "--out-dir", out, "--to", "obj"];
    assertEquals((await batch(line)).code, 0);
    const rows = manifest(out).files;
    assertEquals(rows.map((r) => r.outputs?.map((f) => f.file)), [
      ["a.obj", "a.mtl"],
      ["b.obj", "b.mtl"],
    ]);
    const whole = await snapshot(out);
    put(out, { "b.mtl": "x" });
    const again = await batch([...line, "--resume"]);
    assertStringIncludes(again.err, "1 of them earlier");
    assertEquals(await snapshot(out), whole);
  });
});

Deno.test("batch exits 5 for an output that can not be written and goes on", async () => {
  await inFolder(async (folder) => {
    putGood(folder);
    const out = `${folder}/out`;
    // a file where a folder should be
    put(out, { "a": "in the way" });
    const ran = await batch([
      `${folder}/in/**/*`,
      ...["--out-dir", out, "--to", "glb"],
    ]);
    assertEquals(ran.code, 5, ran.err);
    assertEquals(
      manifest(out).files.map((f) => f.error?.code ?? null),
      ["FILE-WRITE", "FILE-WRITE", null, null, null],
    );
    // the disk is full: the manifest can not be written either, so that the journal stays to go on from
    const full = await batch([
      `${folder}/in/**/*`,
      ...["--out-dir", `${folder}/full`, "--to", "glb"],
    ], {
      write: ([{ path }]) =>
        Promise.reject(meshError("FILE-WRITE", "no space", { path })),
    });
    assertEquals(full.code, 5);
    assertEquals(
      Object.keys(await snapshot(`${folder}/full`)),
      [JOURNAL],
    );
    const rest = await batch([
      `${folder}/in/**/*`,
      ...["--out-dir", `${folder}/full`, "--to", "glb", "--resume"],
    ]);
    assertEquals(rest.code, 0, rest.err);
    assertEquals(Object.keys(await snapshot(`${folder}/full`)).length, 6);
  });
});

Deno.test({
  name:
    "batch leaves whole files on a full disk and goes on when there is room" +
    (canMount() ? "" : " [SKIPPED: needs to mount a small tmpfs]"),
  ignore: !canMount(),
  async fn() {
    await inFolder(async (folder) => {
      for (let i = 0; i < 40; i++) {
        put(folder, { [`in/${i}.payload`]: triangle(i) });
      }
      put(folder, { "in/terrain.payload": sample("terrain.payload") });
      const out = `${folder}/out`;
      const line = [`${folder}/in/*`, "--out-dir", out, "--to", "glb"];
      await onSmallDisk(out, "80k", async (mount) => {
        const full = await batch(line);
        assertEquals(full.code, 5, full.err);
        assertStringIncludes(full.err, "No space left");
        const left = Object.keys(await snapshot(out));
        assert(left.length > 5 && left.length < 41, `${left.length}`);
        for (const name of left) {
          if (!name.endsWith(".glb")) continue;
          const bytes = Deno.readFileSync(`${out}/${name}`);
          const length = new DataView(bytes.buffer).getUint32(8, true);
          assertEquals(length, bytes.length, name);
        }
        assertEquals(left.filter((name) => name.endsWith(".tmp")), []);

        mount("remount,size=4m");
        const rest = await batch([...line, "--resume"]);
        assertEquals(rest.code, 0, rest.err);
        const whole = await snapshot(out);
        assertEquals(Object.keys(whole).length, 42);

        // and where nothing may be written
        mount("remount,ro");
        const refused = await batch([...line, "--force"]);
        assertEquals(refused.code, 5, refused.err);
        assertEquals(await snapshot(out), whole);
      });
    });
  },
});

Deno.test("batch without permission for its folder exits 5, says so and leaves nothing", async () => {
  await inFolder(async (folder) => {
    putGood(folder);
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--no-prompt", "--allow-read", "--allow-write=elsewhere"],
        new URL("../../cli.ts", import.meta.url).pathname,
        ...["batch", "in/**/*", "--out-dir=out", "--to=glb", "--jobs=1"],
      ],
      cwd: folder,
      env: { DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
      stdin: "null",
    }).output();
    const err = new TextDecoder().decode(stderr);
    assertEquals(code, 5, err);
    assertStringIncludes(err, "can not write out");
    assertEquals(Array.from(Deno.readDirSync(folder), (e) => e.name), ["in"]);
  });
});

Deno.test("batch counts a worker that breaks down as that file's failure, and stops after three in a row", async () => {
  await inFolder(async (folder) => {
    for (let i = 0; i < 9; i++) {
      put(folder, { [`in/${i}.payload`]: triangle(i) });
    }
    const [lane] = await batchHost.openLanes(1);
    const breaking = (names: RegExp) => ({
      batch: {
        ...batchHost,
        cwd: batchHost.cwd,
        terminal: false,
        openLanes: () =>
          Promise.resolve([{
            run: (job: Parameters<typeof lane.run>[0]) =>
              names.test(job.in)
                ? Promise.reject(new LaneBroken("out of memory"))
                : lane.run(job),
            close() {},
          }]),
      },
    });
    const line = (out: string) => [
      `${folder}/in/*`,
      ...["--out-dir", `${folder}/${out}`, "--to", "glb"],
    ];
    const some = await batch(line("a"), breaking(/\/[1245]\./));
    assertEquals(some.code, 4, some.err);
    assertEquals(
      manifest(`${folder}/a`).files.map((f) => f.status[0]).join(""),
      "offoffooo",
    );
    const many = await batch(line("b"), breaking(/\/[2-8]\./));
    assertEquals(many.code, 4);
    const { files } = manifest(`${folder}/b`);
    assertEquals(files.map((f) => f.status[0]).join(""), "oofffssss");
    assertEquals(files[8].error?.code, "BATCH-WORKER");
    // what failed is tried again
    const rest = await batch([...line("b"), "--resume"]);
    assertEquals(rest.code, 0, rest.err);
    assertStringIncludes(rest.err, "2 of them earlier");
  });
});

Deno.test("batch --resume leaves for last what a killed run was at", async () => {
  await inFolder(async (folder) => {
    for (let i = 0; i < 4; i++) {
      put(folder, { [`in/${i}.payload`]: triangle(i) });
    }
    const out = `${folder}/out`;
    put(out, { [JOURNAL]: `\n{"begin":"${folder}/in/1.payload"}\n` });
    const order: string[] = [];
    const [lane] = await batchHost.openLanes(1);
    const ran = await batch(
      [`${folder}/in/*`, "--out-dir", out, "--to", "glb", "--resume"],
      {
        batch: {
          ...batchHost,
          cwd: batchHost.cwd,
          terminal: false,
          openLanes: () =>
            Promise.resolve([{
              run(job) {
                order.push(job.out);
                return lane.run(job);
              },
              close() {},
            }]),
        },
      },
    );
    assertEquals(ran.code, 0);
    assertEquals(order, ["0.glb", "2.glb", "3.glb", "1.glb"]);
    assertEquals(manifest(out).files.map((f) => f.out), [
      "0.glb",
      "1.glb",
      "2.glb",
      "3.glb",
    ]);
  });
});

Deno.test("batch shows progress on a terminal alone", async () => {
  await inFolder(async (folder) => {
    putGood(folder);
    const ran = await batch([
      `${folder}/in/**/*`,
      ...["--out-dir", `${folder}/out`, "--to", "glb"],
    ], { batch: { ...batchHost, cwd: batchHost.cwd, terminal: true } });
    const lines = ran.err.split("\r\x1b[K");
    assertMatch(lines[1], /^\d of 5 files, [\d.]+ files\/s, [\d.]+ .*\/s$/);
    assertMatch(lines.at(-1)!, /^Converted 5 of 5 files/);
  });
});

const noScript = findProgram("script") === undefined;

Deno.test({
  name: "batch shows progress and rate on a real terminal" +
    (noScript ? " [SKIPPED: no script(1) to make one]" : ""),
  ignore: noScript || Deno.build.os !== "linux",
  async fn() {
    await inFolder(async (folder) => {
      for (let i = 0; i < 50; i++) {
        put(folder, { [`in/${i}.payload`]: triangle(i) });
      }
      const entry = new URL("../../cli.ts", import.meta.url).pathname;
      const line = `${Deno.execPath()} run --no-prompt --allow-read ` +
        `--allow-write ${entry} batch 'in/*' --out-dir out --to glb --jobs 1`;
      const { code, stdout } = await new Deno.Command("script", {
        args: ["-qec", line, "/dev/null"],
        cwd: folder,
        env: { DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
        stdin: "null",
      }).output();
      const shown = new TextDecoder().decode(stdout).split("\r\x1b[K");
      assertEquals(code, 0, shown.join("\n"));
      assertMatch(
        shown[1],
        /^\d+ of 50 files, [\d.]+ files\/s, [\d.]+ \w+\/s$/,
      );
      assertMatch(shown.at(-1)!, /^Converted 50 of 50 files/);
    });
  },
});

Deno.test("batch refuses wrong use", async () => {
  await inFolder(async (folder) => {
    putGood(folder);
    const out = `${folder}/out`;
    const all = `${folder}/in/**/*`;
    for (
      const [args, word] of [
        [[all, "--to", "glb"], "--out-dir"],
        [[all, "--out-dir", out], "--to"],
        [["-", "--out-dir", out, "--to", "glb"], "stdin"],
        [[all, "--out-dir", out, "--to", "mdl"], "does not write mdl"],
        [[all, "--out-dir", out, "--to", "glb", "--jobs", "0"], "from 1 to 64"],
        [[all, "--out-dir", out, "--to", "glb", "--lods", "x"], "--lods"],
        [
          [all, "--out-dir", `${folder}/in/lantern.vvd`, "--to", "glb"],
          "is a file",
        ],
        [[`${folder}/*.mdl`, "--out-dir", out, "--to", "glb"], "no file"],
      ] as [string[], string][]
    ) {
      const ran = await batch(args);
      assertEquals(ran.code, 2, ran.err);
      assertStringIncludes(ran.err, word);
    }
    assertEquals(Array.from(Deno.readDirSync(folder), (e) => e.name), ["in"]);
    const none = await batch([all, "--out-dir", out, "--to", "glb"], {
      batch: undefined as never,
    });
    assertStringIncludes(none.err, "this runtime has no batch");
  });
});

Deno.test("batch refuses a folder in which another one is running", async () => {
  await inFolder(async (folder) => {
    putGood(folder);
    const out = `${folder}/out`;
    Deno.mkdirSync(out);
    const other = await batchHost.openJournal(`${out}/${JOURNAL}`, true);
    assert(other);
    const ran = await batch([
      `${folder}/in/**/*`,
      ...["--out-dir", out, "--to", "glb", "--resume"],
    ]);
    assertEquals(ran.code, 2);
    assertStringIncludes(ran.err, "a batch is running");
    await other.close(true);
  });
});

Deno.test({
  name: "batch ends with 130 on Ctrl-C and leaves no half file",
  ignore: Deno.build.os === "windows",
  async fn() {
    await inFolder(async (folder) => {
      const files: Record<string, Uint8Array> = {};
      for (let i = 0; i < 200; i++) files[`in/${i}.payload`] = triangle(i);
      put(folder, files);
      const line = ["in/*", "--out-dir", "out", "--to", "glb", "--jobs", "2"];
      // into which nobody writes: the batch can not end by itself, however fast the machine is
      const pipe = "in/pipe.payload";
      await new Deno.Command("mkfifo", { args: [`${folder}/${pipe}`] })
        .output();
      const child = spawnBatch([pipe, ...line], { cwd: folder });
      const ended = child.output();
      // as soon as there is some output; files on their way go again
      const made = () =>
        Array.from(Deno.readDirSync(`${folder}/out`))
          .filter((entry) => entry.name.endsWith(".glb")).length;
      Deno.mkdirSync(`${folder}/out`, { recursive: true });
      while (made() <= 5) await new Promise((go) => setTimeout(go, 5));
      child.kill("SIGINT");
      assertEquals((await ended).code, 130);
      Deno.removeSync(`${folder}/${pipe}`);
      const left = Object.keys(await snapshot(`${folder}/out`));
      assert(left.length > 5 && left.length <= 201, `${left.length}`);
      assert(left.includes(JOURNAL) && !left.includes("manifest.json"));
      for (const name of left) {
        if (name === JOURNAL) continue;
        assertMatch(name, /^\d+\.glb$/);
        const bytes = Deno.readFileSync(`${folder}/out/${name}`);
        const length = new DataView(bytes.buffer).getUint32(8, true);
        assertEquals(length, bytes.length, name);
      }
      const rest = await runBatchProcess([...line, "--resume"], {
        cwd: folder,
      });
      assertEquals(rest.code, 0, rest.err);
      assertEquals(
        Object.keys(await snapshot(`${folder}/out`)).length,
        201,
      );
    });
  },
});

corpusTest("batch converts whole Source models of the corpus", async () => {
  await inFolder(async (folder) => {
    const models = corpusFiles("source", ".mdl").slice(0, 4);
    for (const model of models) {
      const at = model.lastIndexOf("/");
      for (const file of corpusFiles(model.slice(0, at), "")) {
        const stem = model.slice(at + 1, -4).toLowerCase();
        if (!file.slice(at + 1).toLowerCase().startsWith(`${stem}.`)) continue;
        put(folder, { [`in/${file}`]: corpusBytes(file) });
      }
    }
    const out = `${folder}/out`;
    const ran = await batch([
      `${folder}/in/**/*`,
      ...["--out-dir", out, "--to", "glb"],
    ]);
    assertEquals(ran.code, 0, ran.err);
    const { files } = manifest(out);
    assertEquals(
      files.map((f) => f.in.slice(folder.length + 4)).sort(),
      [...models].sort(),
    );
    for (const f of files) {
      assert((f.companions?.length ?? 0) >= 2, f.in);
      assert(f.companions!.every((c) => !c.file.includes("/")));
    }
  });
});
