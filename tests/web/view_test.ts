import { assert, assertEquals, assertMatch } from "@std/assert";
import { run } from "../../src/cli/main.ts";
import type { Host } from "../../src/cli/host.ts";
import { PAGE } from "../../src/cli/page_embed.ts";
import { viewServer } from "../../src/cli/view_server.ts";
import { cli, sample } from "../cli/fake_host.ts";

const input = {
  name: 'folder/"a" & <b>.payload',
  bytes: sample("figure.payload"),
  resources: { "x.bin": Uint8Array.of(1, 2, 3) },
};
const server = (load = () => Promise.resolve(input)) =>
  viewServer("<head><!-- set --></head>", load);
const get = (path: string, init: RequestInit = {}) =>
  new Request(new URL(path, "http://127.0.0.1:8000/"), init);

Deno.test("viewServer() gives the page with its files when they are asked for", async () => {
  const answer = server();
  const page = await answer(get("/"));
  assertMatch(page.headers.get("content-type")!, /^text\/html/);
  const text = await page.text();
  const content = /content="([^"]*)"/.exec(text)![1]
    .replace(/&#(\d+);/g, (_, n) => String.fromCharCode(n));
  assertEquals(JSON.parse(content), {
    name: '"a" & <b>.payload',
    url: "files/0",
    resources: [{ name: "x.bin", url: "files/1" }],
  });
  assertEquals(
    new Uint8Array(await (await answer(get("/files/0"))).arrayBuffer()),
    input.bytes,
  );
  assertEquals(
    new Uint8Array(await (await answer(get("/files/1"))).arrayBuffer()),
    input.resources["x.bin"],
  );
});

Deno.test("viewServer() refuses what is not its own when other names, methods or paths are asked for", async () => {
  const answer = server();
  await answer(get("/"));
  const status = async (request: Request) => {
    const response = await answer(request);
    await response.body?.cancel();
    assertEquals(
      response.headers.get("cross-origin-resource-policy"),
      "same-origin",
    );
    return response.status;
  };
  assertEquals(await status(new Request("http://evil.example:8000/")), 421);
  assertEquals(await status(get("/", { method: "POST" })), 405);
  for (
    const path of ["/files/2", "/files/-1", "/files/../cli.ts", "/deno.json"]
  ) {
    assertEquals(await status(get(path)), 404, path);
  }
  assertEquals(await (await answer(get("/", { method: "HEAD" }))).text(), "");
});

Deno.test("viewServer() reads the file again when the page is loaded again, and says so when it is gone", async () => {
  let bytes: Uint8Array<ArrayBuffer> | null = Uint8Array.of(1);
  const answer = server(() =>
    bytes
      ? Promise.resolve({ ...input, bytes })
      : Promise.reject(new Error("it is gone"))
  );
  const first = async () => {
    await (await answer(get("/"))).body?.cancel();
    return [
      ...new Uint8Array(
        await (await answer(get("/files/0"))).arrayBuffer(),
      ),
    ];
  };
  assertEquals(await first(), [1]);
  bytes = Uint8Array.of(2, 3);
  assertEquals(await first(), [2, 3]);
  bytes = null;
  const gone = await answer(get("/"));
  assertEquals([gone.status, await gone.text()], [500, "it is gone\n"]);
});

/** Runs `view` on a host that only says where it would listen. */
async function view(line: string): Promise<{
  code: number;
  out: string;
  err: string;
  ports: number[];
  page: string;
}> {
  let [out, err, page] = ["", "", ""];
  const ports: number[] = [];
  const host: Host = {
    args: line.split(" "),
    color: false,
    read: () => Promise.resolve(input.bytes),
    look: () => Promise.resolve("file"),
    list: () => Promise.resolve([]),
    write: () => Promise.reject(new Error("view writes nothing")),
    checkWrite: () => Promise.reject(new Error("view writes nothing")),
    async serve(port, answer, onListen) {
      ports.push(port);
      await onListen("http://127.0.0.1:7/");
      page = await (await answer(get("/"))).text();
    },
    out: (text) => Promise.resolve(void (out += text)),
    err: (text) => Promise.resolve(void (err += text)),
  };
  return { code: await run(host), out, err, ports, page };
}

Deno.test("view prints the address and serves the page when a file is given", async () => {
  const ran = await view("view a.payload --port 7");
  assertEquals([ran.code, ran.ports], [0, [7]]);
  assertEquals(ran.out, "http://127.0.0.1:7/\n");
  assertMatch(ran.err, /Showing a.payload/);
  assert(ran.page.includes('name="meshwright-set"'));
  assertEquals(
    ran.page.replace(/<meta name="meshwright-set"[^>]*>/, "<!-- set -->"),
    PAGE,
  );
  const json = await view("view a.payload --json");
  assertEquals(JSON.parse(json.out), {
    schema: "meshwright/view/1",
    file: "a.payload",
    url: "http://127.0.0.1:7/",
  });
  assertEquals([json.err, json.ports], ["", [0]]);
});

Deno.test("view refuses when nothing can be served, the input is stdin or the file is missing", async () => {
  const none = await cli("view a.payload", { files: { "a.payload": "x" } });
  assertEquals(none.code, 2);
  assertMatch(none.err, /preview/);
  assertEquals((await view("view -")).code, 2);
  const missing = await cli("view a.payload");
  assert(missing.code !== 0);
});
