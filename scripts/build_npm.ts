/**
 * Builds the npm package into dist/npm/: each module as JavaScript with its types beside it, the kernels, and the command
 * for Node and Bun. `--out DIR` writes elsewhere.
 *
 * Packages from npm stay imports and become dependencies with exact versions; what comes from JSR is bundled.
 */
import * as esbuild from "esbuild-wasm/esm/browser.js";
import ts from "typescript";
import { denoModules, startEsbuild } from "./bundle.ts";

const root = new URL("../", import.meta.url);

interface DenoConfig {
  name: string;
  version: string;
  license: string;
  exports: Record<string, string>;
  imports: Record<string, string>;
}
const config: DenoConfig = JSON.parse(
  await Deno.readTextFile(new URL("deno.json", root)),
);

/** In the package, `./cli` is the command's host for Node. */
const CLI = "src/cli/node_cli.ts";
const PROGRAM = "src/cli/node_main.ts";
/** Modules that run for what they do, and modules that no import names. */
const ALSO = [PROGRAM, "src/cli/batch/node_worker.ts"];
/** Chosen by condition, for the two ways to get at the kernels. */
const KERNELS = {
  specifier: "#kernels",
  embedded: "src/kernels/own_module.ts",
  workerd: "edge/own_module_workerd.ts",
};

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  verbatimModuleSyntax: true,
};

const asJs = (path: string) => path.replace(/\.ts$/, ".js");
const asTypes = (path: string) => path.replace(/\.ts$/, ".d.ts");

/** Path of a module that another one imports, below the root; null for a package. */
function target(specifier: string, importer: string): string | null {
  if (!/^\.{1,2}\//.test(specifier)) return null;
  return new URL(specifier, new URL(importer, root)).href
    .slice(root.href.length);
}

/** The name of a module in a piece of syntax: an import, an export, an import of a type, a worker's address. */
function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    return node.moduleSpecifier;
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return node.argument.literal;
  }
  if (
    ts.isCallExpression(node) &&
    node.expression.kind === ts.SyntaxKind.ImportKeyword
  ) return node.arguments[0];
  if (
    ts.isNewExpression(node) && node.arguments?.length === 2 &&
    node.expression.getText() === "URL" &&
    node.arguments[1].getText() === "import.meta.url"
  ) return node.arguments[0];
  return undefined;
}

/** Every place where a text imports, last one first. */
function importsOf(
  text: string,
): { name: string; start: number; end: number }[] {
  const file = ts.createSourceFile("", text, ts.ScriptTarget.Latest, true);
  const found: { name: string; start: number; end: number }[] = [];
  const walk = (node: ts.Node) => {
    const name = specifierOf(node);
    if (name && ts.isStringLiteral(name)) {
      const [start, end] = [name.getStart() + 1, name.getEnd() - 1];
      found.push({ name: name.text, start, end });
    }
    ts.forEachChild(node, walk);
  };
  walk(file);
  return found.sort((a, b) => b.start - a.start);
}

/** The text with its imports renamed; tells each module that it imports. */
function rename(
  text: string,
  importer: string,
  to: (specifier: string, path: string | null) => string,
  seen: (path: string) => void,
): string {
  for (const { name, start, end } of importsOf(text)) {
    const path = target(name, importer);
    if (path !== null) seen(path);
    text = text.slice(0, start) + to(name, path) + text.slice(end);
  }
  return text;
}

/** A path from one file of the package to another. */
function relative(from: string, to: string): string {
  const up = from.split("/").length - 1;
  return `${"../".repeat(up) || "./"}${to}`;
}

/** Types of modules and of all that they import. No package has to be found: each export says its own types, as JSR asks. */
function declarations(entries: readonly string[]): Map<string, string> {
  const program = ts.createProgram(
    entries.map((path) => new URL(path, root).pathname),
    {
      ...compilerOptions,
      lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
      allowImportingTsExtensions: true,
      declaration: true,
      emitDeclarationOnly: true,
      noCheck: true,
      types: [],
    },
  );
  const made = new Map<string, string>();
  program.emit(undefined, (_, text, _mark, _error, sources) => {
    const [{ fileName }] = sources!;
    made.set(fileName.slice(root.pathname.length), text);
  });
  return made;
}

/** Modules from JSR, each bundled into a file of the package. */
class Bundled {
  readonly files = new Map<string, string>();

  /** Where the package has it; null for a package of npm. */
  place(specifier: string): string | null {
    const url = config.imports[specifier] ??
      config.imports[specifier.split("/").slice(0, 2).join("/")];
    if (!url?.startsWith("jsr:")) return null;
    const name = specifier.replace(/^@std\/\w+\//, "");
    const file = `vendor/${name.replaceAll("-", "_")}.js`;
    this.files.set(file, specifier);
    return file;
  }

  async write(write: (path: string, text: string) => Promise<void>) {
    await startEsbuild();
    for (const [file, specifier] of this.files) {
      const { outputFiles } = await esbuild.build({
        stdin: {
          contents: `export * from ${JSON.stringify(specifier)};`,
          sourcefile: new URL("stdin.js", root).href,
        },
        bundle: true,
        format: "esm",
        target: "es2022",
        legalComments: "inline",
        logLevel: "warning",
        write: false,
        plugins: [denoModules],
      });
      await write(file, outputFiles[0].text);
    }
    await esbuild.stop();
  }
}

/** What package.json says of one module. */
function entry(path: string): Record<string, string> {
  return { types: `./${asTypes(path)}`, default: `./${asJs(path)}` };
}

function packageJson(dependencies: Record<string, string>) {
  const { specifier, embedded, workerd } = KERNELS;
  const js = (path: string) => `./${asJs(path)}`;
  const modules = Object.entries(config.exports).map(([name, given]) => {
    const path = given.replace(/^\.\//, "");
    if (name === "./cli") {
      const { types, default: module } = entry(CLI);
      // it needs the modules of Node
      return [name, { types, node: module, bun: module }];
    }
    if (name.endsWith(".wasm")) {
      return [name, { types: `./${path}.d.ts`, default: `./${path}` }];
    }
    return [name, entry(path)];
  });
  return {
    name: config.name,
    version: config.version,
    description:
      "Game mesh files (Source models, packed payloads, CSS authored meshes, glTF) read, judged, replayed and converted exactly",
    license: config.license,
    type: "module",
    engines: { node: ">=20" },
    bin: { meshwright: js(PROGRAM) },
    exports: {
      ...Object.fromEntries(modules),
      "./package.json": "./package.json",
    },
    imports: {
      [specifier]: {
        workerd: js(workerd),
        browser: js(embedded),
        node: js(embedded),
        bun: js(embedded),
        default: js(embedded),
      },
    },
    sideEffects: ALSO.map(js),
    dependencies,
  };
}

const WASM_TYPES =
  `/** The kernels; on Cloudflare Workers an import of it is a module. */
declare const kernels: WebAssembly.Module;
export default kernels;
`;

/** Builds the package into a folder and gives the number of its modules. */
export async function buildNpm(out: URL): Promise<number> {
  await Deno.remove(out, { recursive: true }).catch(() => {});
  const write = async (path: string, data: string | Uint8Array) => {
    const place = new URL(path, out);
    await Deno.mkdir(new URL(".", place), { recursive: true });
    const bytes = typeof data === "string"
      ? new TextEncoder().encode(data)
      : data;
    await Deno.writeFile(place, bytes);
  };
  const copy = async (path: string) =>
    await write(path, await Deno.readFile(new URL(path, root)));

  const entries = Object.entries(config.exports)
    .filter(([name, path]) => name !== "./cli" && path.endsWith(".ts"))
    .map(([, path]) => path.replace(/^\.\//, ""));
  const bundled = new Bundled();
  const packages = new Set<string>();
  const modules = new Set([...entries, CLI, ...ALSO, KERNELS.workerd]);
  const types = new Set([...entries, CLI]);

  // a set gives what is added to it while it is walked
  for (const path of modules) {
    const source = await Deno.readTextFile(new URL(path, root));
    const { outputText: code } = ts.transpileModule(source, {
      compilerOptions,
      fileName: path,
    });
    const text = rename(code, path, (name, found) => {
      if (found === KERNELS.embedded) return KERNELS.specifier;
      if (found !== null) return asJs(name);
      const place = bundled.place(name);
      if (place) return relative(path, place);
      if (!name.startsWith("node:")) packages.add(name);
      return name;
    }, (found) => found.endsWith(".ts") && modules.add(found));
    await write(asJs(path), text);
  }
  const declared = declarations([...types]);
  for (const path of types) {
    const code = declared.get(path);
    if (code === undefined) throw new Error(`${path} has no types`);
    const text = rename(code, path, (name, found) => {
      if (found === null && !name.startsWith("node:")) packages.add(name);
      return found === null ? name : asJs(name);
    }, (found) => types.add(found));
    await write(asTypes(path), text);
  }
  await bundled.write(write);

  const dependencies: Record<string, string> = {};
  for (const name of [...packages].sort()) {
    const match = /^npm:((?:@[^/]+\/)?[^/@]+)@([^/]+)/.exec(
      config.imports[name] ?? "",
    );
    if (!match) throw new Error(`${name} is in no version in deno.json`);
    dependencies[match[1]] = match[2];
  }
  for (const path of ["kernels.wasm", "README.md", "CHANGELOG.md", "LICENSE"]) {
    await copy(path);
  }
  await write("kernels.wasm.d.ts", WASM_TYPES);
  await write(
    "package.json",
    JSON.stringify(packageJson(dependencies), null, 2) + "\n",
  );
  return modules.size;
}

if (import.meta.main) {
  const at = Deno.args.indexOf("--out");
  const folder = at < 0 ? "dist/npm" : Deno.args[at + 1];
  const base = at < 0 ? root : new URL(`file://${Deno.cwd()}/`);
  const modules = await buildNpm(new URL(`${folder}/`, base));
  console.log(
    `${folder}: ${modules} modules; run npm install there before the command`,
  );
}
