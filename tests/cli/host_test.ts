import { assert, assertEquals, assertRejects } from "@std/assert";
import { denoHost } from "../../src/cli/deno_host.ts";
import { nodeHost } from "../../src/cli/node_host.ts";
import { MeshError, meshError } from "../../src/core/errors.ts";
import type { Pieces } from "../../src/core/pieces.ts";
import { assertSameBytes } from "../same_bytes.ts";
import { canMount, onSmallDisk } from "../small_disk.ts";

// made once: they listen to signals as long as the process lives. Node's runs on Deno's copy of the modules of Node
const HOSTS = {
  denoHost: denoHost(["inspect", "a.vvd"]),
  nodeHost: nodeHost(["inspect", "a.vvd"]),
};
const posix = Deno.build.os !== "windows";

function command(name: string, ...args: string[]): void {
  const { success, stderr } = new Deno.Command(name, { args }).outputSync();
  assert(success, `${name}: ${new TextDecoder().decode(stderr)}`);
}

async function inFolder(
  work: (path: (name: string) => string, names: () => string[]) => unknown,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(
      (name) => `${folder}/${name}`,
      () => Array.from(Deno.readDirSync(folder), (e) => e.name).sort(),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function failure(work: Promise<unknown>): Promise<MeshError> {
  const error = await assertRejects(() => work, Error);
  assert(error instanceof MeshError, String(error));
  return error;
}

const text = (s: string) => new TextEncoder().encode(s);

/** Pieces that fail behind the first `good` ones. */
function pieces(good: number, fails: Error | null): Pieces {
  return {
    done: 0,
    *[Symbol.iterator]() {
      for (let i = 0; i < good; i++) yield text(`piece ${i};`);
      if (fails) throw fails;
    },
  };
}

for (const [made, host] of Object.entries(HOSTS)) {
  Deno.test(`${made}() hands on the arguments`, () => {
    assertEquals(host.args, ["inspect", "a.vvd"]);
  });

  Deno.test(`${made}().read() gives a file's bytes up to the limit`, async () => {
    await inFolder(async (path) => {
      Deno.writeFileSync(path("a"), text("hello"));
      assertEquals(await host.read(path("a"), 5), text("hello"));
      const error = await failure(host.read(path("a"), 4));
      assertEquals([error.code, error.found, error.allowed], [
        "LIMIT-EXCEEDED",
        5,
        4,
      ]);
    });
  });

  Deno.test(`${made}().read() throws FILE-READ for a folder, a missing file, a path that can not be`, async () => {
    await inFolder(async (path) => {
      for (
        const [name, why] of [
          [path(""), "it is a folder"],
          [path("none"), "No such file or directory"],
          [`${path("a")}\0b`, ""],
        ]
      ) {
        const error = await failure(host.read(name, 100));
        assertEquals(error.code, "FILE-READ");
        assert(error.message.includes(why), error.message);
        assert(!/os error|: stat/.test(error.message), error.message);
      }
    });
  });

  Deno.test({
    name: `${made}().read() reads a named pipe, up to the limit`,
    ignore: !posix,
    async fn() {
      await inFolder(async (path) => {
        command("mkfifo", path("p"));
        for (
          const [limit, code] of [[3, null], [2, "LIMIT-EXCEEDED"]] as const
        ) {
          const writer = new Deno.Command("sh", {
            args: ["-c", 'printf abc >"$0"; :', path("p")],
          });
          const one = writer.output();
          const read = host.read(path("p"), limit);
          if (code === null) assertEquals(await read, text("abc"));
          else assertEquals((await failure(read)).code, code);
          await one;
        }
      });
    },
  });

  Deno.test(`${made}().look() tells files, folders and nothing apart`, async () => {
    await inFolder(async (path) => {
      Deno.writeFileSync(path("a"), text(""));
      assertEquals(await host.look(path("a")), "file");
      assertEquals(await host.look(path("")), "folder");
      assertEquals(await host.look(path("none")), null);
      assertEquals(await host.look(""), null);
      if (!posix) return;
      Deno.symlinkSync(".", path("to_folder"));
      Deno.symlinkSync("nowhere", path("broken"));
      assertEquals(await host.look(path("to_folder")), "folder");
      assertEquals(await host.look(path("broken")), "file");
      assertEquals(await host.look("/dev/null"), "file");
    });
  });

  Deno.test(`${made}().write() writes new files and replaces old ones, and leaves nothing else`, async () => {
    await inFolder(async (path, names) => {
      Deno.writeFileSync(path("b"), text("a longer old text"));
      await host.write([
        { path: path("a"), bytes: text("one") },
        { path: path("b"), bytes: text("two") },
        { path: path("c"), bytes: new Uint8Array(0) },
      ]);
      assertEquals(names(), ["a", "b", "c"]);
      assertEquals(
        ["a", "b", "c"].map((n) => Deno.readTextFileSync(path(n))),
        ["one", "two", ""],
      );
      await host.write([]);
    });
  });

  Deno.test(`${made}().write() writes pieces as they are made, and keeps the old file when making them fails`, async () => {
    await inFolder(async (path, names) => {
      await host.write([{ path: path("a"), bytes: pieces(3, null) }]);
      const whole = text("piece 0;piece 1;piece 2;");
      assertSameBytes(Deno.readFileSync(path("a")), whole);
      // the maker's own error comes out, not one about writing
      const limit = meshError("LIMIT-EXCEEDED", "Make less");
      const error = await failure(
        host.write([
          { path: path("b"), bytes: text("first") },
          { path: path("a"), bytes: pieces(2, limit) },
        ]),
      );
      assertEquals(error.code, "LIMIT-EXCEEDED");
      assertEquals(names(), ["a"]);
      assertSameBytes(Deno.readFileSync(path("a")), whole);
    });
  });

  Deno.test(`${made}().read() tells how far it is, and gives bytes that are the caller's own`, async () => {
    await inFolder(async (path) => {
      Deno.writeFileSync(path("a"), new Uint8Array(9 * 2 ** 20));
      const told: [number, number | null][] = [];
      const bytes = await host.read(
        path("a"),
        2 ** 30,
        (done, total) => told.push([done, total]),
      );
      const sizes = told.map(([done]) => done);
      assertEquals(sizes, sizes.toSorted((a, b) => a - b));
      assertEquals(told.at(-1), [bytes.length, bytes.length]);
      assertEquals(bytes.buffer.byteLength, bytes.length);
    });
  });

  Deno.test(`${made}().write() writes a name as long as the file system takes`, async () => {
    await inFolder(async (path, names) => {
      const name = "n".repeat(251) + ".glb";
      await host.write([{ path: path(name), bytes: text("x") }]);
      assertEquals(names(), [name]);
      const error = await failure(
        host.write([{ path: path(`n${name}`), bytes: text("x") }]),
      );
      assertEquals(error.code, "FILE-WRITE");
      assertEquals(names(), [name]);
    });
  });

  Deno.test({
    name:
      `${made}().write() keeps a link a link and the permissions of the file`,
    ignore: !posix,
    async fn() {
      await inFolder(async (path, names) => {
        Deno.writeFileSync(path("real"), text("old"), { mode: 0o600 });
        Deno.symlinkSync("real", path("link"));
        await host.write([{ path: path("link"), bytes: text("new") }]);
        assertEquals(Deno.readLinkSync(path("link")), "real");
        assertEquals(Deno.readTextFileSync(path("real")), "new");
        assertEquals(Deno.statSync(path("real")).mode! & 0o777, 0o600);
        assertEquals(names(), ["link", "real"]);
      });
    },
  });

  Deno.test({
    name:
      `${made}().write() writes into a pipe or a device and does not replace it`,
    ignore: !posix,
    async fn() {
      await inFolder(async (path, names) => {
        command("mkfifo", path("p"));
        const reader = new Deno.Command("cat", { args: [path("p")] }).output();
        await host.write([{ path: path("p"), bytes: text("through") }]);
        assertEquals((await reader).stdout, text("through"));
        assertEquals(Deno.statSync(path("p")).isFifo, true);
        assertEquals(names(), ["p"]);
        await host.write([{ path: "/dev/null", bytes: text("gone") }]);
        assertEquals(Deno.statSync("/dev/null").isCharDevice, true);
      });
    },
  });

  Deno.test(`${made}().write() throws FILE-WRITE when the folder does not exist`, async () => {
    await inFolder(async (path, names) => {
      const error = await failure(
        host.write([{ path: path("no/a"), bytes: text("x") }]),
      );
      assertEquals([error.code, error.path], ["FILE-WRITE", path("no/a")]);
      assert(
        error.message.endsWith("(its folder does not exist)"),
        error.message,
      );
      assertEquals(names(), []);
    });
  });

  Deno.test(`${made}().checkWrite() gives the error of write() for a place that can not be, and writes nothing`, async () => {
    await inFolder(async (path, names) => {
      Deno.writeFileSync(path("a"), text("old"));
      for (const place of ["no/b", "a/b", "x".repeat(300)].map(path)) {
        const real = await failure(
          host.write([{ path: place, bytes: text("") }]),
        );
        const told = await failure(host.checkWrite([path("a"), place]));
        assertEquals(
          [told.code, told.message, told.path],
          [real.code, real.message, real.path],
        );
      }
      await host.checkWrite([path("a"), path("b")]);
      assertEquals(names(), ["a"]);
      assertEquals(Deno.readTextFileSync(path("a")), "old");
    });
  });

  Deno.test(`${made}().write() keeps every old file when one of several can not be written`, async () => {
    await inFolder(async (path, names) => {
      Deno.writeFileSync(path("a"), text("old"));
      const error = await failure(host.write([
        { path: path("a"), bytes: text("new") },
        { path: path("no/b"), bytes: text("new") },
      ]));
      assertEquals(error.path, path("no/b"));
      assertEquals(Deno.readTextFileSync(path("a")), "old");
      assertEquals(names(), ["a"]);
    });
  });

  Deno.test(`${made}().write() throws FILE-WRITE when a folder stands in the place, and leaves nothing`, async () => {
    await inFolder(async (path, names) => {
      Deno.mkdirSync(path("d/inside"), { recursive: true });
      const error = await failure(
        host.write([{ path: path("d"), bytes: text("x") }]),
      );
      assertEquals(error.code, "FILE-WRITE");
      assertEquals(names(), ["d"]);
    });
  });

  Deno.test({
    name: `${made}().write() keeps the old file whole on a full disk` +
      (canMount() ? "" : " [SKIPPED: needs to mount a small tmpfs]"),
    ignore: !canMount(),
    async fn() {
      await inFolder(async (path) => {
        const disk = () =>
          Array.from(Deno.readDirSync(path("disk")), (e) => e.name).sort();
        await onSmallDisk(path("disk"), "64k", async (mount) => {
          const old = new Uint8Array(20_000).fill(7);
          Deno.writeFileSync(path("disk/a"), old);
          for (const name of ["disk/a", "disk/new"]) {
            const error = await failure(
              host.write([{ path: path(name), bytes: new Uint8Array(90_000) }]),
            );
            assertEquals(error.code, "FILE-WRITE");
            assert(error.message.includes("No space left"), error.message);
            assertEquals(disk(), ["a"]);
            assertSameBytes(Deno.readFileSync(path("disk/a")), old);
          }
          // the second of two does not fit
          await failure(host.write([
            { path: path("disk/a"), bytes: new Uint8Array(20_000) },
            { path: path("disk/b"), bytes: new Uint8Array(40_000) },
          ]));
          assertEquals(disk(), ["a"]);
          assertSameBytes(Deno.readFileSync(path("disk/a")), old);
          // what fits is written
          await host.write([{ path: path("disk/a"), bytes: text("small") }]);
          assertEquals(Deno.readTextFileSync(path("disk/a")), "small");
          // and in a place that can only be read
          mount("remount,ro");
          const error = await failure(
            host.write([{ path: path("disk/a"), bytes: text("x") }]),
          );
          assert(error.message.includes("Read-only"), error.message);
          assertEquals(Deno.readTextFileSync(path("disk/a")), "small");
          assertEquals(disk(), ["a"]);
        });
      });
    },
  });

  Deno.test({
    name: `${made}().write() throws FILE-WRITE in a folder without permission` +
      (posix && Deno.uid() === 0
        ? " [SKIPPED: root may write everywhere]"
        : ""),
    ignore: !posix || Deno.uid() === 0,
    async fn() {
      await inFolder(async (path, names) => {
        Deno.mkdirSync(path("d"));
        Deno.chmodSync(path("d"), 0o555);
        const error = await failure(
          host.write([{ path: path("d/a"), bytes: text("x") }]),
        );
        assertEquals(error.code, "FILE-WRITE");
        assertEquals(names(), ["d"]);
      });
    },
  });
}
