import { assertEquals } from "@std/assert";
import { sha256 } from "../../src/core/hash.ts";

Deno.test("sha256() gives the digests of FIPS 180-2", async () => {
  const abc =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  assertEquals(await sha256("abc"), abc);
  assertEquals(await sha256(Uint8Array.of(97, 98, 99)), abc);
  assertEquals(
    await sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  );
});
