/**
 * The npm package as its users have it: built, packed, installed by npm into an empty folder; then its modules, its types,
 * its command and its way into Cloudflare Workers.
 */
import { assert, assertEquals } from "@std/assert";
import ts from "typescript";
import { killAndResume } from "../batch/kills.ts";
import { assertSameBytes } from "../same_bytes.ts";
import { findProgram } from "./programs.ts";
import { serveWorker } from "./workerd.ts";

const root = new URL("../../", import.meta.url);
const samples = new URL("samples/", root);
const read = (name: string) => Deno.readFileSync(new URL(name, samples));

const node = findProgram("node");
const npm = findProgram("npm");
const bun = findProgram("bun");
const workerd = findProgram("workerd");

/** Bundler of a user; the version that builds this package too. */
const ESBUILD = "esbuild@0.28.2";

interface Ended {
  code: number;
  stdout: Uint8Array;
  stderr: string;
}

async function run(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<Ended> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
    stdin: "null",
  }).output();
  return { code, stdout, stderr: new TextDecoder().decode(stderr) };
}

async function text(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, cwd);
  assertEquals(code, 0, `${program} ${args.join(" ")}: ${stderr}`);
  return new TextDecoder().decode(stdout);
}

/** A folder with the package and the samples, as a user has them. */
let folder = "";

async function install(): Promise<string> {
  const made = await Deno.makeTempDir({ prefix: "meshwright_npm_" });
  await text(Deno.execPath(), [
    "run",
    "--no-prompt",
    ...["--allow-read", "--allow-env", `--allow-write=${made}`],
    ...[new URL("scripts/build_npm.ts", root).pathname, "--out", "package"],
  ], made);
  const packed = await text(npm!, ["pack", "--silent", "./package"], made);
  await Deno.remove(`${made}/package`, { recursive: true });
  await Deno.mkdir(`${made}/user`);
  await Deno.writeTextFile(
    `${made}/user/package.json`,
    '{ "private": true, "type": "module" }',
  );
  await text(npm!, [
    "install",
    ...["--silent", "--no-audit", "--no-fund", "--prefer-offline"],
    ...[`../${packed.trim()}`, ESBUILD],
  ], `${made}/user`);
  for (const { name } of Deno.readDirSync(samples)) {
    await Deno.copyFile(new URL(name, samples), `${made}/user/${name}`);
  }
  return made;
}

if (npm) {
  Deno.test.beforeAll(async () => {
    folder = await install();
  });
  Deno.test.afterAll(async () => {
    if (folder) await Deno.remove(folder, { recursive: true });
  });
}

/** A test of the installed package. */
function packageTest(
  name: string,
  programs: Readonly<Record<string, string | undefined>>,
  fn: (user: string) => Promise<void>,
): void {
  const missing = Object.entries({ node, npm, ...programs })
    .filter(([, program]) => program === undefined).map(([name]) => name);
  Deno.test({
    name: missing.length > 0
      ? `${name} [SKIPPED: not installed: ${missing.join(", ")}]`
      : name,
    ignore: missing.length > 0,
    fn: () => fn(`${folder}/user`),
  });
}

/** What package.json says. */
interface Package {
  exports: Record<string, string | Record<string, string>>;
  dependencies: Record<string, string>;
}
const packageJson = (user: string): Package =>
  JSON.parse(
    Deno.readTextFileSync(`${user}/node_modules/@meshwright/kit/package.json`),
  );

const config = JSON.parse(
  Deno.readTextFileSync(new URL("deno.json", root)),
) as { exports: Record<string, string> };

packageTest(
  "npm package has every entry of deno.json and exact versions",
  {},
  (user) => {
    const { exports, dependencies } = packageJson(user);
    assertEquals(
      Object.keys(exports).sort(),
      [...Object.keys(config.exports), "./package.json"].sort(),
    );
    const place = `${user}/node_modules/@meshwright/kit`;
    for (const entry of Object.values(exports)) {
      const paths = typeof entry === "string" ? [entry] : Object.values(entry);
      for (const path of paths) {
        assert(Deno.statSync(`${place}/${path}`).isFile);
      }
    }
    assert(Object.keys(dependencies).length > 0);
    for (const [name, version] of Object.entries(dependencies)) {
      assert(/^\d+\.\d+\.\d+$/.test(version), `${name}: ${version}`);
    }
    assertSameBytes(
      Deno.readFileSync(`${place}/kernels.wasm`),
      Deno.readFileSync(new URL("kernels.wasm", root)),
    );
    return Promise.resolve();
  },
);

for (const [name, program] of Object.entries({ node, bun })) {
  packageTest(
    `npm package gives ${name} the exports that Deno has`,
    { [name]: program },
    async (user) => {
      const entries = Object.keys(config.exports)
        .filter((entry) => !entry.endsWith(".wasm") && entry !== "./cli");
      await Deno.writeTextFile(
        `${user}/entries.js`,
        `const names = {};
        for (const entry of ${JSON.stringify(entries)}) {
          const module = await import("@meshwright/kit" + entry.slice(1));
          names[entry] = Object.keys(module).sort();
        }
        const { nodeHost, run } = await import("@meshwright/kit/cli");
        names.code = await run(nodeHost(["diff", "figure.payload", "figure.payload", "--quiet"]));
        console.log(JSON.stringify(names));
        process.exit();`,
      );
      const names = JSON.parse(await text(program!, ["entries.js"], user));
      for (const entry of entries) {
        const module = await import(new URL(config.exports[entry], root).href);
        assertEquals(names[entry], Object.keys(module).sort(), entry);
      }
      assertEquals(names.code, 0);
    },
  );
}

/** A program of a user, who relies on the types. */
const CONSUMER = `
import { convert, type Converted, MeshError } from "@meshwright/kit";
import { MAX_NUM_LODS, readVvd, replayVvd, writeVvd } from "@meshwright/kit/vvd";
import { deserialise, type VertexArrays } from "@meshwright/kit/payload";
import { readCssMesh } from "@meshwright/kit/css";
import { readSourceModel } from "@meshwright/kit/mdl";
import { readGltf, writeGlb } from "@meshwright/kit/gltf";
import { rebuildTangents } from "@meshwright/kit/ops";
import { initSync } from "@meshwright/kit/kernels";
import { createHandler } from "@meshwright/kit/edge";
import { drawMesh, writePng } from "@meshwright/kit/preview";
import { type Host, nodeHost, run } from "@meshwright/kit/cli";
import kernels from "@meshwright/kit/kernels.wasm";

initSync(kernels);
export const host: Host = nodeHost(["formats"]);
export const code: Promise<number> = run(host);
export const made: Promise<Converted> = convert(new Uint8Array(), { to: "gltf" });
export const replayed: Uint8Array = writeVvd(replayVvd(readVvd(new Uint8Array()), MAX_NUM_LODS));
export const vertices: VertexArrays = deserialise(new Uint8Array()).vertices;
export const answer: Promise<Response> = createHandler().fetch(new Request("http://localhost/"));
export const all = [drawMesh, MeshError, readCssMesh, readGltf, readSourceModel, rebuildTangents, writeGlb, writePng];
// @ts-expect-error: there is no such format
convert(new Uint8Array(), { to: "fbx" });
`;

for (
  const [resolution, module] of [["NodeNext", "NodeNext"], [
    "Bundler",
    "ESNext",
  ]] as const
) {
  packageTest(
    `npm package has types that a strict program takes by moduleResolution ${resolution}`,
    {},
    async (user) => {
      const path = `${user}/consumer.ts`;
      await Deno.writeTextFile(path, CONSUMER);
      const program = ts.createProgram([path], {
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        target: ts.ScriptTarget.ES2022,
        lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
        module: ts.ModuleKind[module],
        moduleResolution: ts.ModuleResolutionKind[resolution],
        // ./cli is an entry for Node
        customConditions: resolution === "Bundler" ? ["node"] : [],
        types: [],
      });
      const complaints = ts.getPreEmitDiagnostics(program).map((d) =>
        `${d.file?.fileName}: ${
          ts.flattenDiagnosticMessageText(d.messageText, "\n")
        }`
      );
      assertEquals(complaints, []);
    },
  );
}

/** Command lines of which everything that comes out is compared. */
const LINES = [
  "--version",
  "help batch",
  "completions bash",
  "formats --json",
  "explain --json",
  "inspect --json lantern.vvd terrain.payload figure.payload buoy.mdl",
  "validate --json lantern.vvd terrain.payload figure.payload buoy.mdl",
  "convert buoy.mdl buoy.glb --json",
  "convert buoy.mdl buoy.json --json",
  "convert buoy.mdl buoy.smd --json",
  "convert figure.payload figure.obj --json",
  "convert figure.payload figure.glb",
  "convert figure.glb again.payload --strict",
  "convert terrain.payload - --to gltf --quiet",
  "tangents terrain.payload tangents.glb --mode reference",
  "normals terrain.payload normals.glb",
  "replay lantern.vvd replayed.vvd --lod 1",
  "preview buoy.mdl buoy.png --size 320x240",
  "diff figure.payload figure.glb --json",
  "diff figure.payload terrain.payload",
  "batch *.payload --out-dir batch1 --to gltf --jobs 1",
  "batch *.payload --out-dir batch2 --to gltf --jobs 2",
  "batch *.payload --out-dir batch8 --to gltf --jobs 8 --json",
  "convert no.vvd no.glb",
  "convert lantern.vvd no/lantern.glb",
  "inspect .",
  "convert lantern.vvd",
  "frobnicate",
];

/** All files below a folder, by path. */
function filesOf(folder: string, below = ""): Record<string, Uint8Array> {
  const found: Record<string, Uint8Array> = {};
  for (const entry of Deno.readDirSync(`${folder}/${below}`)) {
    const path = below + entry.name;
    if (entry.isDirectory) Object.assign(found, filesOf(folder, `${path}/`));
    else found[path] = Deno.readFileSync(`${folder}/${path}`);
  }
  return found;
}

for (const [name, program] of Object.entries({ node, bun })) {
  packageTest(
    `npm package's command gives on ${name} what it gives on Deno`,
    { [name]: program },
    async (user) => {
      const bin = `${user}/node_modules/.bin/meshwright`;
      const cli = new URL("cli.ts", root).pathname;
      const deno = ["run", "--no-prompt", "--allow-read", "--allow-write", cli];
      const folders = ["theirs", "ours"].map((f) => `${user}/${name}_${f}`);
      for (const folder of folders) {
        await Deno.mkdir(folder);
        for (const { name } of Deno.readDirSync(samples)) {
          await Deno.copyFile(new URL(name, samples), `${folder}/${name}`);
        }
      }
      for (const line of LINES) {
        const args = line.split(" ");
        // the two runs share nothing
        const [theirs, ours] = await Promise.all([
          run(program!, [bin, ...args], folders[0]),
          run(Deno.execPath(), [...deno, ...args], folders[1]),
        ]);
        assertEquals(
          [line, theirs.code, theirs.stderr],
          [line, ours.code, ours.stderr],
        );
        assertSameBytes(theirs.stdout, ours.stdout, line);
      }
      const [theirs, ours] = folders.map((folder) => filesOf(folder));
      assertEquals(Object.keys(theirs).sort(), Object.keys(ours).sort());
      assert(Object.keys(ours).length > 20);
      for (const [path, bytes] of Object.entries(ours)) {
        assertSameBytes(theirs[path], bytes, path);
      }
    },
  );
}

packageTest(
  "npm package's batch on Node survives kill -9 at 40 random instants",
  {},
  async (user) => {
    const bin = `${user}/node_modules/.bin/meshwright`;
    const { killed, midway } = await killAndResume({
      files: 200,
      kills: 40,
      killsOfOne: 8,
      jobs: 1,
      seed: 21,
      replacing: true,
      spawn: (args, { cwd }) =>
        new Deno.Command(node!, {
          args: [bin, "batch", ...args],
          cwd,
          env: { NO_COLOR: "1" },
          stdin: "null",
          stdout: "piped",
          stderr: "piped",
        }).spawn(),
    });
    console.log(`${killed} killed, ${midway} of them midway`);
    assert(killed >= 40 && midway >= 10);
  },
);

packageTest(
  "npm package's command serves the page on Node until Ctrl-C",
  {},
  async (user) => {
    const child = new Deno.Command(node!, {
      args: ["node_modules/.bin/meshwright", "view", "figure.payload"],
      cwd: user,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const out = child.stdout.getReader();
    try {
      const { value } = await out.read();
      const url = new TextDecoder().decode(value).trim();
      const page = await fetch(url);
      assertEquals(page.status, 200);
      assert((await page.text()).includes("figure.payload"));
      const file = await fetch(`${url}files/0`);
      assertSameBytes(await file.bytes(), read("figure.payload"));
      for (
        const [path, method, status] of [
          ["files/7", "GET", 404],
          ["", "POST", 405],
          ["", "HEAD", 200],
        ] as const
      ) {
        const answer = await fetch(url + path, { method });
        assertEquals(answer.status, status, `${method} ${path}`);
        await answer.body?.cancel();
      }
    } finally {
      child.kill("SIGINT");
    }
    assertEquals((await child.status).code, 130);
    await out.cancel();
  },
);

packageTest(
  "npm package's command goes on with a batch on Node that was killed",
  {},
  async (user) => {
    if (Deno.build.os === "windows") return;
    const place = `${user}/killed`;
    await Deno.mkdir(place);
    await Deno.copyFile(`${user}/terrain.payload`, `${place}/a.payload`);
    // the second file can not be read until somebody writes to it
    await text("mkfifo", [`${place}/b.payload`], user);
    const bin = `${user}/node_modules/.bin/meshwright`;
    const args = [bin, "batch", "a.payload", "b.payload"].concat(
      ..."--to gltf --out-dir out --jobs 1".split(" "),
    );
    const child = new Deno.Command(node!, {
      args,
      cwd: place,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const done = `${place}/out/a.glb`;
    while (!await Deno.stat(done).then(() => true, () => false)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const busy = await run(node!, [...args, "--resume"], place);
    assertEquals(busy.code, 2, busy.stderr);
    assert(busy.stderr.includes("a batch is running"), busy.stderr);
    child.kill("SIGKILL");
    await child.status;

    await Deno.remove(`${place}/b.payload`);
    await Deno.copyFile(`${user}/figure.payload`, `${place}/b.payload`);
    const resumed = await run(node!, [...args, "--resume"], place);
    assertEquals(resumed.code, 0, resumed.stderr);
    assert(resumed.stderr.includes("1 of them earlier"), resumed.stderr);
    assertEquals(
      Object.keys(filesOf(`${place}/out`)).sort(),
      ["a.glb", "b.glb", "manifest.json"],
    );
  },
);

packageTest(
  "npm package runs in workerd from a bundle with plain settings, and nobody calls initSync()",
  { workerd },
  async (user) => {
    await Deno.writeTextFile(
      `${user}/worker.js`,
      `import { createHandler } from "@meshwright/kit/edge";
      const handler = createHandler();
      export default { fetch: (request) => handler.fetch(request) };`,
    );
    const out = `${user}/worker`;
    await text(`${user}/node_modules/.bin/esbuild`, [
      "worker.js",
      ...["--bundle", "--format=esm", "--log-level=error"],
      // as wrangler does
      ...["--conditions=workerd,worker,browser", "--external:node:*"],
      ...["--loader:.wasm=copy", "--asset-names=[name]", `--outdir=${out}`],
    ], user);
    const { createHandler } = await import("../../src/edge/mod.ts");
    await serveWorker(workerd!, new URL(`file://${out}/`), {
      main: ["worker.js", "kernels.wasm"],
    }, async (ports) => {
      for (
        const [name, to] of [["terrain.payload", "gltf"], [
          "lantern.vvd",
          "css",
        ]]
      ) {
        const path = `/convert?to=${to}&tangents=rebuild&normals=rebuild`;
        const ask = (base: string) =>
          new Request(base + path, { method: "POST", body: read(name) });
        const theirs = await fetch(
          ask(`http://127.0.0.1:${ports.get("main")}`),
        );
        const ours = await createHandler().fetch(ask("http://localhost"));
        assertEquals(
          theirs.status,
          ours.status,
          `${name} ${await theirs.clone().text()}`,
        );
        assertSameBytes(await theirs.bytes(), await ours.bytes(), name);
      }
    });
  },
);
