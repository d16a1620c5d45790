/**
 * The page: drop a model, see it, judge it, convert it. Nothing leaves the browser.
 *
 * @module
 */
import type { ConvertOptions } from "../src/convert/convert.ts";
import { stemName } from "../src/convert/output_paths.ts";
import { type FormatId, FORMATS } from "../src/core/formats.ts";
import { type ViewName, VIEWS } from "../src/preview/views.ts";
import { ask, busy, cancel, type OnProgress, TaskError } from "./client.ts";
import { contents, converted, findings, verdict } from "./describe.ts";
import { $, count, el, fill, plural } from "./dom.ts";
import {
  type Dropped,
  droppedFiles,
  MOST_FILES,
  namedFiles,
} from "./dropped.ts";
import { hasMode, type Mode, MODES } from "./paint.ts";
import {
  chosenOptions,
  fitOptions,
  resetOptions,
  showOptions,
} from "./options.ts";
import type { ModelSet, Opened, ShownMesh } from "./protocol.ts";
import { Stage } from "./scene.ts";
import { groupFiles, type NamedFile } from "./sets.ts";

const MODE_NAMES: Record<Mode, string> = {
  solid: "Solid",
  wire: "Wire",
  normals: "Normals",
  tangents: "Tangents",
  uv: "UV",
  weights: "Weights",
};

const canvas = $<HTMLCanvasElement>("canvas");
const lodSelect = $<HTMLSelectElement>("lod");
const fromSelect = $<HTMLSelectElement>("from");
const edges = $<HTMLInputElement>("edges");
const status = $<HTMLOutputElement>("status");

let stage: Stage | null = null;
let sets: ModelSet[] = [];
let current: ModelSet | null = null;
let opened: Opened | null = null;
/** Blob addresses of the files that can be downloaded. */
let urls: string[] = [];

// ---- status and progress

const progress: OnProgress = (stage, done) => {
  const bar = $<HTMLProgressElement>("progress");
  bar.hidden = false;
  bar.value = done;
  $("cancel").hidden = false;
  status.value = `${stage}… ${Math.floor(done * 100)} %`;
};

function settled(text: string): void {
  $("progress").hidden = true;
  $("cancel").hidden = true;
  status.value = text;
}

function told(error: unknown): string {
  if (!(error instanceof TaskError)) {
    return error instanceof Error ? error.message : String(error);
  }
  const { code, message } = error.trouble;
  return code ? `${message} [${code}]` : message;
}

function notice(text: string, isError = false): void {
  const box = $("notice");
  box.hidden = text === "";
  box.textContent = text;
  box.classList.toggle("error", isError);
}

// ---- theme

const THEMES = ["auto", "light", "dark"] as const;
type Theme = typeof THEMES[number];
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let theme: Theme = storedTheme();

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem("meshwright-theme");
    return THEMES.find((t) => t === stored) ?? "auto";
  } catch {
    return "auto"; // a page opened as a file may have no storage
  }
}

function applyTheme(): void {
  const dark = theme === "dark" || (theme === "auto" && prefersDark.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  $("theme").textContent = `Theme: ${theme}`;
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  stage?.setColors(
    color("--stage"),
    color("--stage-line"),
    color("--stage-fill"),
  );
}

function nextTheme(): void {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  try {
    localStorage.setItem("meshwright-theme", theme);
  } catch {
    // it holds until the page is closed
  }
  applyTheme();
}

// ---- opening

/** Opens files that are being read. */
async function openFiles(reading: Promise<Dropped>): Promise<void> {
  settled("Reading files…");
  try {
    const { files, more } = await reading;
    if (files.length === 0) return settled("No model in it");
    await openSets(groupFiles(files));
    if (more) {
      notice(
        `Only the first ${count(MOST_FILES)} files of the folder are here`,
      );
    }
  } catch (error) {
    settled(`Could not read: ${error}`);
  }
}

async function openChosen(list: Iterable<File>): Promise<void> {
  const files = Array.from(list, (file) => [file.name, file] as const);
  if (files.length === 0) return;
  const read = async () => ({ files: await namedFiles(files), more: false });
  await openFiles(read());
}

async function openSets(found: ModelSet[]): Promise<void> {
  sets = found;
  fill(
    $<HTMLSelectElement>("sets"),
    sets.map((set, i) => [String(i), set.name]),
  );
  $("sets-label").hidden = sets.length < 2;
  if (sets.length > 0) await openSet(sets[0]);
}

async function openSet(set: ModelSet): Promise<void> {
  current = set;
  opened = null;
  clearResult();
  $("welcome").hidden = true;
  $("file-name").textContent = set.name;
  document.title = `${set.name} – meshwright`;
  let answer: Opened;
  try {
    answer = await ask({ do: "open", set }, progress);
  } catch (error) {
    if (current !== set) return;
    notice(told(error), true);
    settled(told(error));
    return;
  }
  if (current !== set) return;
  opened = answer;
  showPanel(answer);
  showMesh(answer);
  settled(summary(answer));
}

function summary({ mesh, trouble, inspection }: Opened): string {
  if (!mesh && trouble) return `${trouble.message} [${trouble.code}]`;
  const m = inspection?.mesh;
  return m
    ? `${plural(m.vertices, "vertex", "vertices")}, ${
      plural(m.triangles, "triangle")
    }`
    : "Opened";
}

function showPanel(answer: Opened): void {
  $("panel").hidden = false;
  const { text, class: tone } = verdict(answer);
  const badge = $("findings-count");
  badge.textContent = text;
  badge.className = `badge ${tone}`;
  $("findings").replaceChildren(...findings(answer));
  $("contents").replaceChildren(
    ...(answer.inspection ? contents(answer.inspection) : [
      el("p", { class: "error" }, answer.trouble?.message ?? "Not readable"),
    ]),
  );
  showFittingOptions();
}

function showMesh({ mesh, trouble, inspection }: Opened): void {
  $("tools").hidden = mesh === null;
  $("morphs-section").hidden = true;
  if (!mesh) {
    stage?.clear();
    canvas.setAttribute("aria-label", "No picture");
    notice(trouble?.message ?? "Nothing to show", true);
    return;
  }
  if (!stage) {
    notice("No picture: this browser gives the page no WebGL", true);
  } else if (!mesh.lods[0].indices) {
    notice(
      "A vertex file alone has no faces: its vertices are shown. Drop the .mdl with its .vvd and .vtx to see faces.",
    );
  } else notice("");
  const name = current?.name ?? "model";
  canvas.setAttribute("aria-label", `Picture of ${name}`);
  const levels = inspection?.mesh?.lods ?? [];
  fill(
    lodSelect,
    levels.map((l) => [
      String(l.level),
      `${l.level} (${count(l.triangles || l.vertices)})`,
    ]),
  );
  $("lod-label").hidden = levels.length < 2;
  fill($<HTMLSelectElement>("joint"), [
    ["", "all"],
    ...jointsOf(mesh),
  ]);
  for (const input of modeInputs()) {
    input.disabled = !hasMode(mesh, input.value as Mode);
  }
  fromSelect.value = "iso";
  stage?.show(mesh);
  setMode(hasMode(mesh, chosenMode()) ? chosenMode() : "solid");
  showMorphs(mesh);
}

function jointsOf(mesh: ShownMesh): [string, string][] {
  const { joints, weights } = mesh;
  if (!joints || !weights) return [];
  const used = new Set<number>();
  joints.forEach((joint, i) => weights[i] > 0 && used.add(joint));
  return [...used].sort((a, b) => a - b).map((joint) => [
    String(joint),
    mesh.jointNames[joint] ?? `joint ${joint}`,
  ]);
}

function showMorphs(mesh: ShownMesh): void {
  const names = mesh.morphs?.names ?? [];
  $("morphs-section").hidden = names.length === 0;
  const influences = names.map(() => 0);
  const rows = names.map((name, i) => {
    const text = el("output", {}, "0");
    const slider = el("input", {
      type: "range",
      min: "0",
      max: "1",
      step: "0.01",
      value: "0",
    });
    slider.addEventListener("input", () => {
      influences[i] = Number(slider.value);
      text.value = slider.value;
      stage?.setMorphs(influences);
    });
    return el(
      "label",
      {},
      el("span", { title: name }, name || `target ${i}`),
      slider,
      text,
    );
  });
  $("morphs").replaceChildren(...rows);
}

// ---- tools

const modeInputs =
  () => [...document.querySelectorAll<HTMLInputElement>("#modes input")];

const chosenMode = () =>
  (modeInputs().find((input) => input.checked)?.value ?? "solid") as Mode;

function setMode(mode: Mode): void {
  const input = modeInputs().find((i) => i.value === mode);
  if (!input || input.disabled) return;
  input.checked = true;
  $("joint-label").hidden = mode !== "weights";
  stage?.setMode(mode);
}

async function setLod(level: number): Promise<void> {
  const last = lodSelect.options.length - 1;
  if (!opened?.mesh || level < 0 || level > last) return;
  lodSelect.value = String(level);
  if (opened.inspection?.format !== "vvd" || !current) {
    stage?.setLod(level);
    return;
  }
  try {
    const mesh = await ask(
      { do: "level", set: current, lod: level },
      progress,
    );
    stage?.show(mesh, true);
    settled(
      `Level ${level}: ${plural(mesh.vertexCount, "vertex", "vertices")}`,
    );
  } catch (error) {
    settled(told(error));
  }
}

function setView(view: ViewName): void {
  fromSelect.value = view;
  stage?.setView(view);
}

function nextView(): void {
  const at = VIEWS.indexOf(fromSelect.value as ViewName);
  setView(VIEWS[(at + 1) % VIEWS.length]);
}

// ---- conversion

function targets(): (readonly [value: string, text: string])[] {
  return FORMATS.filter((f) => f.writes).flatMap((f) =>
    f.id === "gltf"
      ? [["gltf", "GLB (glTF binary)"], ["gltf-json", "glTF (JSON)"]]
      : [[f.id, `${f.extensions[0].slice(1).toUpperCase()} (${f.name})`]]
  );
}

function clearResult(): void {
  for (const url of urls) URL.revokeObjectURL(url);
  urls = [];
  $("result").replaceChildren();
}

/** The chosen target. */
function chosenTarget(): Pick<ConvertOptions, "to" | "gltfJson"> {
  const to = $<HTMLSelectElement>("to").value;
  const gltfJson = to === "gltf-json";
  return { to: gltfJson ? "gltf" : to as FormatId, gltfJson };
}

/** Shows the options of what is open and of the target. */
function showFittingOptions(): void {
  const { format, mesh } = opened?.inspection ?? {};
  const levels = mesh?.lods.map((l) => l.level) ?? [];
  fitOptions(format, chosenTarget().to, levels);
}

async function convertCurrent(): Promise<void> {
  if (!current || busy()) return;
  const set = current;
  clearResult();
  const stem = stemName(set.name) || "model";
  try {
    const made = await ask(
      {
        do: "convert",
        set,
        options: { ...chosenTarget(), ...chosenOptions() },
        stem,
      },
      progress,
    );
    if (current !== set) return;
    urls = made.files.map((file) =>
      URL.createObjectURL(new Blob([file.bytes as BlobPart]))
    );
    $("result").replaceChildren(...converted(made, urls));
    settled(`Converted to ${made.files.map((f) => f.name).join(", ")}`);
    $("result").querySelector("a")?.focus();
  } catch (error) {
    $("result").replaceChildren(el("p", { class: "error" }, told(error)));
    settled("Not converted");
  }
}

// ---- the set that `meshwright view` serves with the page

interface ServedSet {
  name: string;
  url: string;
  resources: { name: string; url: string }[];
}

async function openServed(): Promise<void> {
  const meta = document.querySelector<HTMLMetaElement>(
    'meta[name="meshwright-set"]',
  );
  if (!meta) return;
  const served: ServedSet = JSON.parse(meta.content);
  const load = async ({ name, url }: { name: string; url: string }) => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    return { name, bytes: new Uint8Array(await response.arrayBuffer()) };
  };
  settled("Loading…");
  try {
    const main: NamedFile = await load(served);
    const resources = await Promise.all(served.resources.map(load));
    await openSets([{
      ...main,
      resources: Object.fromEntries(resources.map((r) => [r.name, r.bytes])),
    }]);
  } catch (error) {
    settled(`Could not load: ${error}`);
  }
}

// ---- wiring

function chooseFiles(): void {
  $("files").click();
}

const KEYS: Record<string, () => void> = {
  o: chooseFiles,
  e: () => {
    edges.checked = !edges.checked;
    stage?.setEdges(edges.checked);
  },
  f: () => stage?.fit(),
  v: nextView,
  t: nextTheme,
  c: () => void convertCurrent(),
  "[": () => void setLod(Number(lodSelect.value) - 1),
  "]": () => void setLod(Number(lodSelect.value) + 1),
  "+": () => stage?.zoom(1 / 1.15),
  "=": () => stage?.zoom(1 / 1.15),
  "-": () => stage?.zoom(1.15),
  "?": () => $<HTMLDialogElement>("keys").showModal(),
  escape: cancel,
};
MODES.forEach((mode, i) => KEYS[String(i + 1)] = () => setMode(mode));

const TURN: Record<string, [number, number]> = {
  ArrowLeft: [-0.12, 0],
  ArrowRight: [0.12, 0],
  ArrowUp: [0, 0.12],
  ArrowDown: [0, -0.12],
};

function wireKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if ($<HTMLDialogElement>("keys").open) return;
    const target = event.target as HTMLElement;
    const typing = target.matches(
      "select, input[type=number], input[type=range], input[type=text]",
    );
    if (typing && event.key !== "Escape") return;
    const action = KEYS[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
  canvas.addEventListener("keydown", (event) => {
    const turn = TURN[event.key];
    if (!turn) return;
    event.preventDefault();
    stage?.turn(...turn);
  });
}

function wireDrop(): void {
  let depth = 0;
  const hint = (on: boolean) => document.body.classList.toggle("dragging", on);
  addEventListener("dragenter", (event) => {
    event.preventDefault();
    depth++;
    hint(true);
  });
  addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (depth === 0) hint(false);
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    hint(false);
    if (event.dataTransfer) void openFiles(droppedFiles(event.dataTransfer));
  });
}

function wireTools(): void {
  const tools = $("tools");
  new ResizeObserver(() =>
    $("view").style.setProperty(
      "--tools-height",
      `${tools.offsetHeight + 22}px`,
    )
  ).observe(tools);
  $("modes").append(...MODES.map((mode, i) =>
    el(
      "label",
      { title: `Key ${i + 1}` },
      el("input", {
        type: "radio",
        name: "mode",
        value: mode,
        ...(i === 0 ? { checked: "" } : {}),
      }),
      MODE_NAMES[mode],
    )
  ));
  for (const input of modeInputs()) {
    input.addEventListener("change", () => setMode(input.value as Mode));
  }
  edges.addEventListener("change", () => stage?.setEdges(edges.checked));
  lodSelect.addEventListener(
    "change",
    () => void setLod(Number(lodSelect.value)),
  );
  fromSelect.addEventListener(
    "change",
    () => setView(fromSelect.value as ViewName),
  );
  $("joint").addEventListener("change", (event) => {
    const { value } = event.target as HTMLSelectElement;
    stage?.setJoint(value === "" ? null : Number(value));
  });
  $("fit").addEventListener("click", () => stage?.fit());
  $("morphs-reset").addEventListener("click", () => {
    for (
      const slider of document.querySelectorAll<HTMLInputElement>(
        "#morphs input",
      )
    ) {
      slider.value = "0";
      slider.dispatchEvent(new Event("input"));
    }
  });
}

function wirePage(): void {
  for (const id of ["open", "open-large"]) {
    $(id).addEventListener("click", chooseFiles);
  }
  const files = $<HTMLInputElement>("files");
  files.addEventListener("change", () => {
    void openChosen(files.files ?? []);
    files.value = ""; // the same file may be chosen again
  });
  $("sets").addEventListener("change", (event) => {
    void openSet(sets[Number((event.target as HTMLSelectElement).value)]);
  });
  $("theme").addEventListener("click", nextTheme);
  prefersDark.addEventListener("change", applyTheme);
  $("help").addEventListener(
    "click",
    () => $<HTMLDialogElement>("keys").showModal(),
  );
  $("cancel").addEventListener("click", cancel);
  fill($<HTMLSelectElement>("to"), targets());
  $<HTMLSelectElement>("to").value = "gltf";
  $("to").addEventListener("change", showFittingOptions);
  showOptions();
  showFittingOptions();
  $("options-reset").addEventListener("click", resetOptions);
  $("convert").addEventListener("submit", (event) => {
    event.preventDefault();
    void convertCurrent();
  });
}

try {
  stage = new Stage(canvas);
  // for who waits until there is a picture
  stage.onDraw = () =>
    canvas.dataset.drawn = String(Number(canvas.dataset.drawn ?? 0) + 1);
} catch {
  // without WebGL the page still describes, checks and converts
}
wirePage();
wireTools();
wireKeys();
wireDrop();
applyTheme();
void openServed();
