/**
 * A real Chromium for the tests of the page, and what they do with it again and again.
 *
 * @module
 */
import { decode } from "fast-png";
import {
  type Chromium,
  chromium,
  complaintsOf,
  type Page,
  startChromium,
} from "../chromium.ts";

export { chromium, type Page };

let running: Chromium | undefined;

/** Starts the browser; one serves all tests, for starting it takes longer than most of them. */
export async function startBrowser(): Promise<void> {
  running = await startChromium({ viewport: { width: 900, height: 420 } });
}

/** Ends the browser. */
export async function stopBrowser(): Promise<void> {
  await running?.close();
}

/** Runs work on a fresh page; `errors` collects what the page complains about. */
export async function withPage(
  address: string,
  work: (page: Page, errors: string[]) => Promise<void>,
): Promise<void> {
  const page = await running!.browser.newPage();
  try {
    const errors = complaintsOf(page);
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(address);
    await page.evaluate("try { localStorage.clear() } catch {}");
    await work(page, errors);
  } finally {
    await page.close();
  }
}

/** Waits until an expression is true. The page's policy forbids playwright's own way, which evaluates inside the page. */
export async function until(page: Page, expression: string): Promise<void> {
  for (let i = 0; i < 300; i++) {
    if (await page.evaluate(`Boolean(${expression})`)) return;
    await page.waitForTimeout(50);
  }
  const status = await page.evaluate("document.body.innerText");
  throw new Error(`never true: ${expression}; the page says: ${status}`);
}

/** Waits until nothing runs and everything is drawn. */
export async function settled(page: Page): Promise<void> {
  await until(page, "document.getElementById('progress').hidden");
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
  );
}

/** Waits until a model is open: its name is shown, and what the page says of it has a number or a code. */
async function opened(page: Page, stem: string): Promise<void> {
  await until(
    page,
    `document.getElementById("file-name").textContent.startsWith(${
      JSON.stringify(stem)
    })`,
  );
  await until(
    page,
    '/\\d (?!%)|\\[/.test(document.getElementById("status").value)',
  );
  await settled(page);
}

/** Drops files and folders of the disk on the page, as a file manager would. */
export async function dropPaths(
  page: Page,
  paths: readonly string[],
  stem: string,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", {
      type,
      x: 300,
      y: 200,
      data,
    });
  }
  await opened(page, stem);
}

/** Drops files on the page, as a hand would. */
export async function drop(
  page: Page,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<void> {
  const list = Object.entries(files).map((
    [name, bytes],
  ) => [name, bytes.toBase64()]);
  await page.evaluate(`{
    const transfer = new DataTransfer();
    for (const [name, text] of ${JSON.stringify(list)}) {
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
    }
    const options = { dataTransfer: transfer, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent("dragenter", options));
    document.body.dispatchEvent(new DragEvent("drop", options));
  }`);
  const [first] = Object.keys(files);
  await opened(page, first.replace(/\..*$/, ""));
}

/** The picture of the model without what lies over it. */
export interface Seen {
  /** Pixels that are not background. */
  drawn: number;
  /** Different colours among them. */
  colors: number;
  /** Background: red, green, blue. */
  background: number[];
  /** All pixels, to tell two pictures apart. */
  key: string;
}

/** Looks at the picture. */
export async function look(page: Page): Promise<Seen> {
  await settled(page);
  const png = await page.locator("#canvas").screenshot();
  const { data, channels, width, height } = decode(png);
  const at = (x: number, y: number) => {
    const i = (y * width + x) * channels;
    return [data[i], data[i + 1], data[i + 2]];
  };
  const background = at(2, height - 2);
  const colors = new Set<string>();
  let drawn = 0;
  // the notice lies over the uppermost rows
  for (let y = 60; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const color = at(x, y);
      if (color.every((c, k) => Math.abs(c - background[k]) < 6)) continue;
      drawn++;
      colors.add(color.join());
    }
  }
  const digest = await crypto.subtle.digest("SHA-256", data as BufferSource);
  return {
    drawn,
    colors: colors.size,
    background,
    key: new Uint8Array(digest).toHex(),
  };
}

/** Converts what is open to a format and gives the files as they are downloaded. */
export async function downloadAll(
  page: Page,
  to: string,
): Promise<Record<string, Uint8Array>> {
  await page.locator("#to").selectOption(to);
  await page.locator("#convert button[type=submit]").click();
  await until(page, "document.querySelector('#result a, #result .error')");
  const files: Record<string, Uint8Array> = {};
  for (const link of await page.locator("#result a").all()) {
    const waiting = page.waitForEvent("download");
    await link.click();
    const file = await waiting;
    files[file.suggestedFilename()] = await Deno.readFile(await file.path());
  }
  return files;
}

/** Converts what is open to a format and gives the first file as it is downloaded. */
export async function download(
  page: Page,
  to: string,
): Promise<{ name: string; bytes: Uint8Array }> {
  const [[name, bytes]] = Object.entries(await downloadAll(page, to));
  return { name, bytes };
}
