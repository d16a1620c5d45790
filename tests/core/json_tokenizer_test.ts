import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import { JsonTokenizer } from "../../src/core/json_tokenizer.ts";
import { Random } from "../random.ts";
import { utf8 } from "../css/plain_css.ts";

function read(text: string): number {
  const t = new JsonTokenizer(utf8(text), 64);
  const x = t.number();
  assertEquals(t.offset, text.length, text);
  return x;
}

/** Every number is compared with the runtime's own conversion, zeros with their signs. */
function same(text: string): void {
  const want = JSON.parse(text);
  const found = read(text);
  assert(Object.is(found, want), `${text}: ${found}, not ${want}`);
}

Deno.test("JsonTokenizer reads numbers as JSON.parse does when they lie on and beside the edges of its methods", () => {
  const texts = [
    ..."0 -0 1 -1 0.0 -0.0 0e5 0E-5 0.000 1e0 1E+0 1e-0".split(" "),
    "9007199254740991 9007199254740992 9007199254740993 9007199254740994.5",
    "999999999999999 9999999999999999 99999999999999999 999999999999999999",
    "9999999999999999999 99999999999999999999 18446744073709551615",
    "0.1 0.2 0.3 0.30000000000000004 1e22 1e23 1e-22 1e-23 123e22 8.5e-22",
    "0.10000000149011612 0.7071067811865476 3.4028234663852886e+38",
    "1.7976931348623157e308 1.7976931348623159e308 1e309 -1e999 5e-324 2e-324",
    "2.2250738585072011e-308 2.2250738585072014e-308 4.9406564584124654e-324",
    "1.00000000000000011102230246251565 1.00000000000000011102230246251566",
    "1.5e00000000000000000000000000001 1e-00000000000000000000001",
    "0.000000000000000000000000000000000000000000000000000001e54",
    "179769313486231580793e289 0.1e1000000000000000000000 0e99999999999999999",
  ].flatMap((line) => line.split(" "));
  for (const text of texts) same(text);
});

Deno.test("JsonTokenizer reads numbers as JSON.parse does when they are random", () => {
  const random = new Random(31);
  const words = new Uint32Array(2);
  const double = new Float64Array(words.buffer);
  for (let i = 0; i < 60_000; i++) {
    words[0] = random.u32();
    words[1] = random.u32();
    if (Number.isFinite(double[0])) same(String(double[0]));
    const x = random.between(-1000, 1000);
    same(String(x));
    same(String(Math.fround(x)));
    same(x.toFixed(random.below(20)));
    same(x.toExponential(random.below(20)));
    const digits = Array.from(
      { length: 1 + random.below(24) },
      () => random.below(10),
    ).join("");
    same(`${random.below(3)}.${digits}e${random.below(60) - 30}`);
  }
});

Deno.test("JsonTokenizer reads numbers as JSON.parse does when they lie half way between two f64", () => {
  const random = new Random(32);
  for (let i = 0; i < 2000; i++) {
    // an odd number of 54 bits is a tie; both sides of it are close
    const odd = (BigInt(2 ** 53) + BigInt(random.u32()) * 2n ** 20n +
          BigInt(random.below(2 ** 20))) * 2n + 1n;
    for (const n of [odd - 1n, odd, odd + 1n]) {
      same(String(n));
      const text = String(n);
      same(`${text}e-${random.below(22)}`);
      same(`${text.slice(0, 5)}.${text.slice(5)}`);
      same(`${text}.0000000000000000000001`);
    }
  }
});

Deno.test("JsonTokenizer reads a number right when its digits are many thousands", () => {
  // ties of f64 have at most 767 digits; a digit far behind decides
  const tie = "9007199254740993";
  const zeros = "0".repeat(5000);
  same(`${tie}.${zeros}`);
  same(`${tie}.${zeros}1`);
  same(`0.${zeros}${tie}e5016`);
  same(`-1${zeros}.${zeros}e-5000`);
  same("1".repeat(40_000));
  same(`0.${"9".repeat(40_000)}`);
  same(`${"7".repeat(3000)}e-2990`);
});

Deno.test("JsonTokenizer gives R-JSON at the byte when a number is none", () => {
  const cases: [string, number][] = [
    ["-", 1],
    ["-x", 1],
    ["01", 1],
    ["-00", 2],
    ["1.", 2],
    ["1.e1", 2],
    ["1e", 2],
    ["1e+", 3],
    ["+1", 0],
    [".5", 0],
    ["NaN", 0],
    ["Infinity", 0],
  ];
  for (const [text, offset] of cases) {
    const t = new JsonTokenizer(utf8(text), 64);
    const error = assertThrows(() => t.leaf(), MeshError, undefined, text);
    assertEquals([error.code, error.offset], ["R-JSON", offset], text);
  }
});

Deno.test("JsonTokenizer reads strings as JSON.parse does", () => {
  const texts = [
    '""',
    '"plain"',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
    '"\\u0041\\u00e9\\ud83d\\ude00\\ud800"',
    '"é ß € 😀 \u007f"',
    '"\ufeffmark"',
    `"${"long".repeat(1000)}"`,
  ];
  for (const text of texts) {
    const t = new JsonTokenizer(utf8(text), 64);
    assertEquals(t.leaf(), JSON.parse(text));
    assertEquals(t.peek(), -1);
  }
});

Deno.test("JsonTokenizer gives R-JSON at the byte when a string is broken", () => {
  const cases: [string | number[], number][] = [
    ['"open', 5],
    ['"tab\there"', 4],
    ['"\\x"', 2],
    ['"\\u12g4"', 5],
    ['"\\u12', 5],
    [[0x22, 0x80, 0x22], 1], // continuation alone
    [[0x22, 0xc0, 0xaf, 0x22], 1], // overlong
    [[0x22, 0xe0, 0x80, 0x80, 0x22], 1],
    [[0x22, 0xed, 0xa0, 0x80, 0x22], 1], // surrogate
    [[0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 1], // behind U+10FFFF
    [[0x22, 0xe2, 0x82], 1], // cut
  ];
  for (const [text, offset] of cases) {
    const bytes = typeof text === "string" ? utf8(text) : Uint8Array.from(text);
    const t = new JsonTokenizer(bytes, 64);
    const error = assertThrows(() => t.skip(), MeshError);
    assertEquals([error.code, error.offset], ["R-JSON", offset], String(text));
  }
});

Deno.test("JsonTokenizer.skip() passes exactly what JSON.parse takes when texts are random", () => {
  const random = new Random(33);
  const pieces = ["[", "]", "{", "}", ",", ":", '"a"', "1", "-2.5e3", "true"];
  pieces.push("false", "null", " ", '""', "[]", "{}", "nul", '"');
  let good = 0;
  for (let i = 0; i < 40_000; i++) {
    let text = "";
    const length = 1 + random.below(9);
    for (let k = 0; k < length; k++) text += random.pick(pieces);
    let want = true;
    try {
      JSON.parse(text);
    } catch {
      want = false;
    }
    let found = true;
    try {
      const t = new JsonTokenizer(utf8(text), 64);
      t.skip();
      if (t.peek() >= 0) found = false;
    } catch (error) {
      assert(error instanceof MeshError);
      found = false;
    }
    assertEquals(found, want, text);
    if (want) good++;
  }
  assert(good > 1000, `only ${good} valid texts`);
});

Deno.test("JsonTokenizer.row() counts cells and names the first that is no number", () => {
  const cases: [string, number, number, number[]][] = [
    ["[]", 0, -1, []],
    ["[1,2,3]", 3, -1, [1, 2, 3]],
    [" [ 1 , -2e1 ] ", 2, -1, [1, -20]],
    ['[1,"2",null]', 3, 1, [1]],
    ["[[1],2]", 2, 0, []],
    ['"row"', -1, -1, []],
    ["1e999", -1, -1, []],
    [`[${"7,".repeat(99)}7]`, 100, -1, new Array(16).fill(7)],
  ];
  for (const [text, length, bad, cells] of cases) {
    const t = new JsonTokenizer(utf8(text), 64);
    assertEquals(t.row(), length, text);
    assertEquals(t.badCell, bad, text);
    assertEquals([...t.cells.subarray(0, cells.length)], cells, text);
    assertEquals(t.peek(), -1, text);
  }
  for (const text of ["[1", "[1,", "[1,]", "[1 2]", "[,1]"]) {
    const t = new JsonTokenizer(utf8(text), 64);
    assertThrows(() => t.row(), MeshError, undefined, text);
  }
});
