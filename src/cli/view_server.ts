/**
 * What `meshwright view` answers: the page, and the files of the model that it shows. Nothing else is read.
 *
 * @module
 */
import type { Input } from "./files.ts";

/** What is served of an input; the page has its own codecs. */
type Served = Omit<Input, "decoders">;

/** Sent with everything: other pages in the same browser must not get at the files. */
const HEADERS = {
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Text as the value of an attribute in double quotes. */
function attribute(text: string): string {
  return text.replace(
    /[&"<>]/g,
    (c) => `&#${c.charCodeAt(0)};`,
  );
}

/** The page with a note of the files that it is to open. */
function pageFor(page: string, input: Served): string {
  const set = {
    name: input.name.replace(/^.*[\\/]/, ""),
    url: "files/0",
    resources: Object.keys(input.resources).map((name, i) => ({
      name,
      url: `files/${i + 1}`,
    })),
  };
  const meta = `<meta name="meshwright-set" content="${
    attribute(JSON.stringify(set))
  }">`;
  return page.replace("<!-- set -->", () => meta);
}

/**
 * Answers requests for the page and the model's files.
 *
 * @param page The page of web/ as one HTML file.
 * @param load Reads the model; called for every view of the page, so that a reload shows the file as it is now.
 */
export function viewServer(
  page: string,
  load: () => Promise<Served>,
): (request: Request) => Promise<Response> {
  let files: Uint8Array[] = [];
  const plain = (status: number, text: string) =>
    new Response(`${text}\n`, {
      status,
      headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" },
    });
  return async (request) => {
    const { pathname, hostname } = new URL(request.url);
    // a name that leads here is not ours: it may be another site's
    if (hostname !== "127.0.0.1") return plain(421, "Ask for 127.0.0.1");
    if (request.method !== "GET" && request.method !== "HEAD") {
      return plain(405, "GET is all there is");
    }
    const file = /^\/files\/(\d+)$/.exec(pathname);
    let body: BodyInit;
    let type: string;
    if (pathname === "/") {
      try {
        const input = await load();
        files = [input.bytes, ...Object.values(input.resources)];
        body = pageFor(page, input);
      } catch (error) {
        return plain(
          500,
          error instanceof Error ? error.message : "unreadable",
        );
      }
      type = "text/html; charset=utf-8";
    } else if (file && files[Number(file[1])]) {
      body = files[Number(file[1])] as BodyInit;
      type = "application/octet-stream";
    } else return plain(404, "Not here");
    return new Response(request.method === "HEAD" ? null : body, {
      headers: { ...HEADERS, "content-type": type },
    });
  };
}
