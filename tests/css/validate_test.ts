import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeshError } from "../../src/core/errors.ts";
import { MAX_LISTED_FINDINGS } from "../../src/core/limits.ts";
import { validateCssMesh } from "../../src/formats/css/mod.ts";
import { corpusBytes, corpusJson, corpusTest } from "../corpus.ts";
import {
  bone,
  brief,
  bytesOf,
  changed,
  type Doc,
  findingsOf,
  triangle,
  utf8,
} from "./plain_css.ts";

/** What the triangle gives once it is changed: code and place of every finding. */
type Case = [change: (doc: Doc) => void, ...findings: [string, string][]];

function check(cases: readonly Case[]): void {
  for (const [change, ...want] of cases) {
    const doc = changed(change);
    assertEquals(brief(findingsOf(doc)), want, change.toString());
  }
}

const morph = (...deltas: unknown[]) => [{ name: "Grow", deltas }];

Deno.test("validateCssMesh() finds nothing when a mesh is clean", () => {
  check([
    [() => {}],
    [(d) => d.uv_channels = 1],
    [(d) => d.points[1][0] = -50.0],
    [(d) => d.faces = [[0, 2, 1, 0.0]]],
    [(d) => d.morph_targets = []],
    [(d) => d.morph_targets = morph([0, 0, 0, 1])],
    [(d) => d.normals = [[0, 0, 1], [0, 0, 1], [0, 0, 1]]],
    [(d) => d.colors = [[0, 1, 2, 3], [255, 255, 255, 255], [9, 9, 9, 9]]],
  ]);
});

Deno.test("validateCssMesh() judges schema and packages with R-SCHEMA and R-PKG", () => {
  const set = (key: string, value: unknown): Case[0] => (d) => d[key] = value;
  check([
    [set("schema", undefined), ["R-SCHEMA", "/schema"]],
    [set("schema", 2), ["R-SCHEMA", "/schema"]],
    [set("schema", "1"), ["R-SCHEMA", "/schema"]],
    [set("schema", true), ["R-SCHEMA", "/schema"]],
    [set("mesh_package", 7), ["R-PKG-TYPE", "/mesh_package"]],
    [set("mesh_package", undefined), ["R-PKG-TYPE", "/mesh_package"]],
    [set("skeleton_package", null), ["R-PKG-TYPE", "/skeleton_package"]],
    [
      set("mesh_package", "/Game/Other/SK"),
      ["R-PKG-MESH-PREFIX", "/mesh_package"],
    ],
    [set("mesh_package", "/game/cssAUTHORING/SK")],
    [
      set("skeleton_package", "/Engine/SKEL"),
      ["R-PKG-SKEL-PREFIX", "/skeleton_package"],
    ],
    [set("skeleton_package", "/GAME/SKEL")],
    [
      set("mesh_package", "/Game/CSSAuthoring/"),
      ["R-PKG-NAME", "/mesh_package"],
    ],
    [
      set("mesh_package", "/Game/CSSAuthoring//SK"),
      ["R-PKG-NAME", "/mesh_package"],
    ],
    [set("skeleton_package", "/Game/"), ["R-PKG-NAME", "/skeleton_package"]],
    ...Array.from(
      "\\:*?\"<>|' ,.&!~\n\r\t@#",
      (c): Case => [
        set("skeleton_package", `/Game/A${c}B`),
        ["R-PKG-NAME", "/skeleton_package"],
      ],
    ),
    [
      set("skeleton_package", "/Game/CSSAUTHORING/plain/SK_PLAIN"),
      ["R-PKG-DISTINCT", "/skeleton_package"],
    ],
    [
      (d) => {
        d.schema = 3;
        d.mesh_package = "/X/Y Z";
        d.skeleton_package = "/x/y z";
      },
      ["R-SCHEMA", "/schema"],
      ["R-PKG-MESH-PREFIX", "/mesh_package"],
      ["R-PKG-SKEL-PREFIX", "/skeleton_package"],
      ["R-PKG-NAME", "/mesh_package"],
      ["R-PKG-NAME", "/skeleton_package"],
      ["R-PKG-DISTINCT", "/skeleton_package"],
    ],
  ]);
});

Deno.test("validateCssMesh() takes another folder when the package prefix is given", () => {
  const bytes = bytesOf(changed((d) => d.mesh_package = "/Game/CSS/Eve/SK"));
  const packagePrefix = "/Game/CSS/";
  assertEquals(validateCssMesh(bytes, { packagePrefix }).list, []);
  assertEquals(validateCssMesh(bytes).list[0].code, "R-PKG-MESH-PREFIX");
  for (const bad of ["", "/", "Game/", "/Game"]) {
    const error = assertThrows(
      () => validateCssMesh(bytes, { packagePrefix: bad }),
      MeshError,
    );
    assertEquals(error.code, "ARGUMENT");
  }
});

const REQUIRED = [
  ["bones", "R-ARRAY-MISSING:bones", "R-ARRAY-EMPTY:bones"],
  ["points", "R-ARRAY-MISSING:points", "R-ARRAY-EMPTY:points"],
  ["wedges", "R-ARRAY-MISSING:wedges", "R-ARRAY-EMPTY:wedges"],
  ["faces", "R-ARRAY-MISSING:faces", "R-ARRAY-EMPTY:faces"],
  ["influences", "R-ARRAY-MISSING:influences", "R-ARRAY-EMPTY:influences"],
  ["materials", "R-ARRAY-MISSING:materials", "R-ARRAY-EMPTY:materials"],
] as const;

Deno.test("validateCssMesh() gives one error when a required array is missing, no array or empty", () => {
  const errors = (doc: Doc) =>
    brief(findingsOf(doc).filter((f) => f.severity === "error"));
  for (const [key, missing, empty] of REQUIRED) {
    for (const value of [undefined, null, {}, "x", 3]) {
      assertEquals(
        errors(changed((d) => d[key] = value)),
        [[missing, `/${key}`]],
      );
    }
    assertEquals(errors(changed((d) => d[key] = [])), [[empty, `/${key}`]]);
  }
});

Deno.test("validateCssMesh() gives R-LIMIT when there are too many bones, materials or influences", () => {
  const bones = (n: number) => (d: Doc) =>
    d.bones = Array.from({ length: n }, (_, i) => bone(`b${i}`, i - 1));
  const materials = (n: number) => (d: Doc) =>
    d.materials = Array.from({ length: n }, (_, i) => `m${i}`);
  check([
    [bones(2048)],
    [bones(2049), ["R-LIMIT:bones", "/bones"]],
    [materials(64)],
    [materials(65), ["R-LIMIT:materials", "/materials"]],
  ]);
  const influences = (n: number) =>
    changed((d) => {
      bones(100)(d);
      d.influences = Array.from(
        { length: n },
        (_, i) => [i % 3, Math.floor(i / 3), i < 21 ? 1 / 8 : 1 / 8],
      );
    });
  assertEquals(findingsOf(influences(24)), []);
  const list = findingsOf(influences(25));
  assertEquals(brief(list), [
    ["R-LIMIT:influences", "/influences"],
    ["R-INFLUENCE-SUM", "/points/0"],
    ["R-INFLUENCE-COUNT", "/points/0"],
  ]);
});

Deno.test("validateCssMesh() gives R-UVCOUNT, R-NORMALS-COUNT and R-COLORS-COUNT when counts do not fit", () => {
  const uvs = (n: number) => (d: Doc) => {
    d.uv_channels = n;
    d.wedges = d.wedges.map((w: number[]) => [
      w[0],
      ...Array.from({ length: n }, () => [w[1], w[2]]).flat(),
    ]);
  };
  check([
    ...[1, 2, 3, 4].map((n): Case => [uvs(n)]),
    ...[0, 1.5, -1, "1", null, true, []].map((n): Case => [
      (d) => d.uv_channels = n,
      ["R-UVCOUNT", "/uv_channels"],
    ]),
    ...["normals", "colors"].flatMap((key) =>
      [[], [[0, 0, 1]], null, "x", {}].map((value): Case => {
        const rows = key === "colors" && value instanceof Array && value[0]
          ? [[1, 2, 3, 4]]
          : value;
        return [
          (d) => d[key] = rows,
          [key === "normals" ? "R-NORMALS-COUNT" : "R-COLORS-COUNT", `/${key}`],
        ];
      })
    ),
  ]);
  assertEquals(findingsOf(changed(uvs(5)))[0].code, "R-UVCOUNT");
});

Deno.test("validateCssMesh() reads wedges by uv_channels when the key stands behind them", () => {
  const wide = changed((d) =>
    d.wedges = d.wedges.map((w: number[]) => [...w, 0, 0])
  );
  assertEquals(
    brief(findingsOf(wide)).slice(0, 3),
    [0, 1, 2].map((i) => ["R-WEDGE", `/wedges/${i}`]),
  );
  assertEquals(findingsOf({ ...wide, uv_channels: 2 }), []);
  assertEquals(findingsOf({ uv_channels: 2, ...wide }), []);
});

Deno.test("validateCssMesh() judges bones one by one", () => {
  const second = (change: (b: Doc) => void): Case[0] => (d) => {
    d.bones.push(bone("tip", 0));
    change(d.bones[1]);
  };
  const at = (field = "") => `/bones/1${field}`;
  check([
    [second(() => {})],
    [(d) => d.bones[0] = 5, ["R-BONE", "/bones/0"]],
    [second((b) => b.name = ""), ["R-BONE-NAME", at("/name")]],
    [second((b) => b.name = 3), ["R-BONE-NAME", at("/name")]],
    [second((b) => delete b.name), ["R-BONE-NAME", at("/name")]],
    [second((b) => b.name = "ROOT"), ["R-BONE-DUP", at("/name")]],
    ...[-1, 1, 2, 0.5, "0", null].map((parent): Case => [
      second((b) => b.parent = parent),
      ["R-BONE-PARENT", at("/parent")],
    ]),
    [(d) => d.bones[0].parent = 0, ["R-BONE-PARENT", "/bones/0/parent"]],
    [
      second((b) => b.translation = [1, 2]),
      ["R-BONE-TRANSLATION", at("/translation")],
    ],
    [
      second((b) => b.translation[2] = "3"),
      ["R-BONE-TRANSLATION", at("/translation/2")],
    ],
    [second((b) => b.translation = [1e9, -1e9, 0])],
    [
      second((b) => b.rotation = [0, 0, 1]),
      ["R-BONE-ROTATION", at("/rotation")],
    ],
    [second((b) => b.rotation = null), ["R-BONE-ROTATION", at("/rotation")]],
    [second((b) => b.scale = [1, 1, 1, 1]), ["R-BONE-SCALE", at("/scale")]],
    [second((b) => b.scale[1] = 0), ["R-BONE-SCALE", at("/scale/1")]],
    [second((b) => b.scale[2] = -1), ["R-BONE-SCALE", at("/scale/2")]],
    [
      second((b) => {
        b.name = "";
        b.parent = 9;
        b.scale = [];
      }),
      ["R-BONE-NAME", at("/name")],
      ["R-BONE-PARENT", at("/parent")],
      ["R-BONE-SCALE", at("/scale")],
    ],
  ]);
});

Deno.test("validateCssMesh() gives R-BONE-QUAT-UNIT when squares are more than 0.001 away from one, in f64", () => {
  const of = (w: number) =>
    brief(findingsOf(changed((d) => d.bones[0].rotation = [0, 0, 0, w])));
  const bad = [["R-BONE-QUAT-UNIT", "/bones/0/rotation"]];
  // the nearest f64 on both sides of both bounds
  for (let i = -40; i <= 40; i++) {
    for (const edge of [Math.sqrt(1.001), Math.sqrt(0.999)]) {
      const w = edge * (1 + i * 2 ** -52);
      assertEquals(of(w), Math.abs(w * w - 1) > 0.001 ? bad : [], `${w}`);
    }
  }
});

Deno.test("validateCssMesh() judges material names", () => {
  check([
    [(d) => d.materials = ["A", ""], ["R-MATERIAL-NAME", "/materials/1"]],
    [(d) => d.materials = ["A", 7], ["R-MATERIAL-NAME", "/materials/1"]],
    [(d) => d.materials = ["ä", "Ä"], ["R-MATERIAL-DUP", "/materials/1"]],
  ]);
});

Deno.test("validateCssMesh() gives R-POINT and R-POINT-RANGE when a point does not fit", () => {
  const first = (doc: Doc) => brief(findingsOf(doc))[0];
  const point = (value: unknown) => changed((d) => d.points[2] = value);
  for (const value of [[1, 2], [1, 2, 3, 4], 5, null, {}]) {
    assertEquals(first(point(value)), ["R-POINT", "/points/2"]);
  }
  assertEquals(first(point([0, "1", 2])), ["R-POINT", "/points/2/1"]);
  const text = JSON.stringify(triangle()).replace("[0,40,0]", "[0,1e999,0]");
  assertEquals(brief(validateCssMesh(utf8(text)).list)[0], [
    "R-POINT",
    "/points/2/1",
  ]);
  for (const sign of [1, -1]) {
    assertEquals(
      findingsOf(point([0, sign * 10000, 0])).map((f) => f.severity),
      ["warning"],
    );
    // f32 has no number between, so the test must be in f64
    assertEquals(first(point([0, sign * 10000.0000001, 0])), [
      "R-POINT-RANGE",
      "/points/2/1",
    ]);
  }
});

Deno.test("validateCssMesh() judges wedges, each with its normal and colour", () => {
  const first = (doc: Doc) => brief(findingsOf(doc))[0];
  for (const point of [-1, 3, 0.5, 4294967295, 4294967296, 1e300]) {
    assertEquals(
      first(changed((d) => d.wedges[1][0] = point)),
      ["R-WEDGE-POINT", "/wedges/1/0"],
    );
  }
  assertEquals(first(changed((d) => d.wedges[1] = [1, 0])), [
    "R-WEDGE",
    "/wedges/1",
  ]);
  assertEquals(first(changed((d) => d.wedges[1][2] = null)), [
    "R-WEDGE",
    "/wedges/1/2",
  ]);
  const huge = findingsOf(changed((d) => d.wedges[1][2] = -1e39))[0];
  assertEquals([huge.code, huge.where, huge.severity], [
    "MESH-NON-FINITE",
    "/wedges/1/2",
    "error",
  ]);
  check([
    [
      (d) => {
        d.normals = [[0, 0, 1], [0, 0], [0, 0, 1]];
        d.colors = [[0, 0, 0, 256], [1, 2, 3], [0.5, 0, 0, 0]];
      },
      ["R-COLOR-BYTE", "/colors/0/3"],
      ["R-NORMAL", "/normals/1"],
      ["R-COLOR", "/colors/1"],
      ["R-COLOR-BYTE", "/colors/2/0"],
    ],
    [
      (d) => d.colors = [[-1, 0, 0, 0], [0, 0, 1e3, 0], [0, 0, 0, "9"]],
      ["R-COLOR-BYTE", "/colors/0/0"],
      ["R-COLOR-BYTE", "/colors/1/2"],
      ["R-COLOR", "/colors/2/3"],
    ],
  ]);
});

Deno.test("validateCssMesh() gives R-NORMAL-UNIT when squares are more than 0.001 away from one, in f32", () => {
  const f = Math.fround;
  let both = 0;
  for (const edge of [Math.sqrt(1.001), Math.sqrt(0.999)]) {
    for (let i = -20; i <= 20; i++) {
      const z = f(edge * (1 + i * 2 ** -24));
      const bad = Math.abs(f(f(z * z) - 1)) > f(0.001);
      const list = findingsOf(
        changed((d) => d.normals = [[0, 0, 1], [0, 0, z], [0, 0, 1]]),
      );
      assertEquals(
        brief(list),
        bad ? [["R-NORMAL-UNIT", "/normals/1"]] : [],
        `${z}`,
      );
      if (bad) both++;
    }
  }
  assert(both > 10 && both < 72, `${both} of 82 are bad`);
});

Deno.test("validateCssMesh() judges faces", () => {
  const first = (doc: Doc) => brief(findingsOf(doc))[0];
  const face = (value: unknown) => changed((d) => d.faces[0] = value);
  for (const value of [[0, 1, 2], [0, 1, 2, 0, 0], 9]) {
    assertEquals(first(face(value)), ["R-FACE", "/faces/0"]);
  }
  for (const [k, code] of ["R-FACE-WEDGE", "R-FACE-MATERIAL"].entries()) {
    for (const bad of [-1, 3, 1.5, 2 ** 32 - 1, 2 ** 33]) {
      const row = [0, 2, 1, 0];
      row[k === 0 ? 1 : 3] = bad;
      assertEquals(first(face(row)), [code, `/faces/0/${k === 0 ? 1 : 3}`]);
    }
  }
  assertEquals(
    brief(findingsOf(face([7, 8, 1, 2]))).slice(0, 3),
    [
      ["R-FACE-WEDGE", "/faces/0/0"],
      ["R-FACE-WEDGE", "/faces/0/1"],
      ["R-FACE-MATERIAL", "/faces/0/3"],
    ],
  );
});

Deno.test("validateCssMesh() gives R-FACE-DEGENERATE by the squared cross product in f32 alone", () => {
  const f = Math.fround;
  /** The rule once more, plainly: every operation rounded to f32. */
  const square = (points: number[][]) => {
    const [a, b, c] = points.map((p) => p.map(f));
    const u = b.map((x, k) => f(x - a[k]));
    const v = c.map((x, k) => f(x - a[k]));
    const cross = [[1, 2], [2, 0], [0, 1]].map(([i, k]) =>
      f(f(u[i] * v[k]) - f(u[k] * v[i]))
    );
    const [x, y, z] = cross.map((q) => f(q * q));
    return f(f(x + y) + z);
  };
  const codes = (points: number[][]) =>
    findingsOf(changed((d) => d.points = points)).map((p) => p.code);
  let [bad, good, disagree] = [0, 0, 0];
  const far = 9000;
  for (let i = -60; i <= 60; i++) {
    for (const origin of [0, 1, far]) {
      const edge = 0.001 * (1 + i * 1e-4);
      const points = [
        [origin, 0, 0],
        [origin + edge, 0, 0],
        [origin, 0.001, 0],
      ];
      const want = square(points) < f(1e-12);
      assertEquals(
        codes(points).includes("R-FACE-DEGENERATE"),
        want,
        JSON.stringify(points),
      );
      if (want) bad++;
      else good++;
      if (want !== (edge * 0.001) ** 2 < 1e-12) disagree++;
    }
  }
  assert(bad > 50 && good > 50 && disagree > 10, `${bad} ${good} ${disagree}`);
  // points that merge when rounded, a repeated wedge, collinear corners
  for (
    const points of [
      [[9000, 0, 0], [9000.0001, 0, 0], [9000, 100, 0]],
      [[1, 1, 1], [2, 2, 2], [3, 3, 3]],
    ]
  ) assert(codes(points).includes("R-FACE-DEGENERATE"));
  assertEquals(
    findingsOf(changed((d) => d.faces[0] = [0, 0, 1, 0]))[0].code,
    "R-FACE-DEGENERATE",
  );
});

Deno.test("validateCssMesh() judges influences, then the sums of all points", () => {
  const first = (doc: Doc) => brief(findingsOf(doc))[0];
  const row = (value: unknown) => changed((d) => d.influences[1] = value);
  for (const value of [[1, 0], [1, 0, 1, 1], null]) {
    assertEquals(first(row(value)), ["R-INFLUENCE", "/influences/1"]);
  }
  for (const bad of [-1, 3, 0.25, 2 ** 32 - 1]) {
    assertEquals(first(row([bad, 0, 1])), [
      "R-INFLUENCE-POINT",
      "/influences/1/0",
    ]);
    assertEquals(first(row([1, bad, 1])), [
      "R-INFLUENCE-BONE",
      "/influences/1/1",
    ]);
  }
  for (const bad of [0, -0, -1, 1.0000000001, 2]) {
    assertEquals(first(row([1, 0, bad])), [
      "R-INFLUENCE-WEIGHT",
      "/influences/1/2",
    ]);
  }
  check([
    [
      (d) =>
        d.influences = [[0, 0, 0.5], [0, 0, 0.5], ...d.influences.slice(1)],
      ["R-INFLUENCE-DUP", "/influences/1"],
    ],
    [
      (d) => {
        d.points.push([1, 1, 1]);
        d.wedges.push([3, 0, 0]);
        d.faces.push([0, 3, 1, 0]);
      },
      ["R-INFLUENCE-SUM", "/points/3"],
    ],
    [
      (d) => {
        d.bones = Array.from({ length: 9 }, (_, i) => bone(`b${i}`, i - 1));
        d.influences = [
          ...Array.from({ length: 9 }, (_, i) => [2, i, 1 / 9]),
          [0, 0, 1],
          [1, 0, 1],
        ];
      },
      ["R-INFLUENCE-COUNT", "/points/2"],
    ],
  ]);
  // the bound in f64, at the f64 on both sides of it
  for (const edge of [0.999, 0.001]) {
    for (let i = -4; i <= 4; i++) {
      const w = edge === 0.999 ? 0.999 + i * 2 ** -53 : 0.001 + i * 2 ** -62;
      const doc = changed((d) => {
        d.bones.push(bone("tip", 0));
        d.influences = edge === 0.999
          ? [[0, 0, w], [1, 0, 1], [2, 0, 1]]
          : [[0, 0, 1], [0, 1, w], [1, 0, 1], [2, 0, 1]];
      });
      const sum = edge === 0.999 ? w : 1 + w;
      assertEquals(
        brief(findingsOf(doc)),
        Math.abs(sum - 1) > 0.001 ? [["R-INFLUENCE-SUM", "/points/0"]] : [],
        `${w}`,
      );
    }
  }
});

Deno.test("validateCssMesh() judges morph targets", () => {
  const name = (value: unknown): Case[0] => (d) =>
    d.morph_targets = [{ name: value, deltas: [[0, 0, 0, 1]] }];
  const delta = (...value: unknown[]): Case[0] => (d) =>
    d.morph_targets = morph([0, 0, 0, 1], value);
  const at = "/morph_targets/0";
  const many = (n: number): Case[0] => (d) =>
    d.morph_targets = Array.from(
      { length: n },
      (_, i) => ({ name: `m${i}`, deltas: [[i % 3, 1, 0, 0]] }),
    );
  check([
    [many(64)],
    [many(65), ["R-MORPH-COUNT", "/morph_targets"]],
    [(d) => d.morph_targets = null, ["R-MORPH-COUNT", "/morph_targets"]],
    [(d) => d.morph_targets = [3], ["R-MORPH-NAME", at]],
    ...["", "a b", "a-b", "é", "x".repeat(65), 3, null].map((n): Case => [
      name(n),
      ["R-MORPH-NAME", `${at}/name`],
    ]),
    [name("x".repeat(64))],
    [name("Az_09")],
    [
      (d) =>
        d.morph_targets = [
          { name: "Hips", deltas: [[0, 1, 0, 0]] },
          { name: "hIPS", deltas: [[0, 1, 0, 0]] },
        ],
      ["R-MORPH-DUP", "/morph_targets/1/name"],
    ],
    [
      (d) => d.morph_targets = [{ name: "A" }],
      ["R-MORPH-DELTA", `${at}/deltas`],
    ],
    [
      (d) => d.morph_targets = [{ name: "A", deltas: {} }],
      ["R-MORPH-DELTA", `${at}/deltas`],
    ],
    [delta(1, 0, 0), ["R-MORPH-DELTA", `${at}/deltas/1`]],
    [delta(1, 0, "0", 0), ["R-MORPH-DELTA", `${at}/deltas/1/2`]],
    ...[-1, 3, 0.5].map((p): Case => [
      delta(p, 1, 0, 0),
      ["R-MORPH-POINT", `${at}/deltas/1/0`],
    ]),
    [delta(1, 0, -100, 0)],
    [delta(1, 0, 0, 100.0000001), ["R-MORPH-RANGE", `${at}/deltas/1/3`]],
    [delta(0, 0, 0, 2), ["R-MORPH-POINT-DUP", `${at}/deltas/1`]],
  ]);
});

Deno.test("validateCssMesh() warns of what the engine will do when the importer takes the mesh", () => {
  const warn = (change: Case[0]) => {
    const list = findingsOf(changed(change));
    assert(list.every((f) => f.severity === "warning"), JSON.stringify(list));
    return brief(list);
  };
  const quad = (d: Doc) => {
    d.points.push([50, 40, 0]);
    d.wedges.push([3, 1, 1]);
    d.faces.push([1, 2, 3, 0]);
    d.influences.push([3, 0, 1]);
  };
  assertEquals(warn(quad), []);
  const cases: [Case[0], [string, string][]][] = [
    [(d) => d.Schema = 1, [["CSS-KEY-UNKNOWN", "/Schema"]]],
    [
      (d) => d.bones[0].name = "b".repeat(1024),
      [["CSS-NAME-LENGTH", "/bones/0/name"]],
    ],
    [(d) => d.bones[0].name = "b".repeat(1023), []],
    [
      (d) => d.points = [[0, 0, 0], [0.5, 0, 0], [0, 0.4, 0]],
      [["MESH-UNIT-SIZE", "/points"]],
    ],
    [
      (d) => d.points = [[0, 0, 0], [5000, 0, 0], [0, 4, 0]],
      [["MESH-UNIT-SIZE", "/points"]],
    ],
    [
      (d) => {
        d.points.push([9, 9, 9]);
        d.influences.push([3, 0, 1]);
      },
      [["CSS-UNUSED-POINT", "/points/3"]],
    ],
    [(d) => d.wedges.push([0, 5, 5]), [["CSS-UNUSED-WEDGE", "/wedges/3"]]],
    [
      (d) => {
        d.normals = [[0, 0, 1], [0, 0, 1], [0, 0, 1]];
        d.faces = [[0, 1, 2, 0]];
      },
      [["MESH-WINDING", "/faces"]],
    ],
    [
      (d) => d.faces.push([2, 1, 0, 0]),
      [["CSS-FACE-REPEATED", "/faces/1"]],
    ],
    // the same points from behind: no repetition, but the texture is mirrored there
    [(d) => d.faces.push([0, 1, 2, 0]), [["CSS-MIRRORED-SEAM", "/wedges/0"]]],
    [
      (d) => d.points = [[0, 0, 0], [0.00002, 0, 0], [0, 400, 0]],
      [["CSS-FACE-MERGED", "/faces/0"]],
    ],
    [
      (d) => {
        quad(d);
        d.wedges[3] = [3, -1, -1];
      },
      [["CSS-MIRRORED-SEAM", "/wedges/1"]],
    ],
    [
      (d) => {
        d.bones.push(bone("tip", 0));
        d.influences[0] = [0, 0, 0.500005];
        d.influences.push([0, 1, 0.499995]);
      },
      [["CSS-WEIGHTS-CLOSE", "/points/0"]],
    ],
    [
      (d) => {
        d.bones.push(bone("tip", 0));
        d.influences[0] = [0, 0, 0.5];
        d.influences.push([0, 1, 0.5]);
      },
      [],
    ],
    [
      (d) => d.morph_targets = morph([0, 0, 0, 1], [1, 80, 80, 0]),
      [["CSS-MORPH-LENGTH", "/morph_targets/0/deltas/1"]],
    ],
    [
      (d) => d.morph_targets = morph([0, 0, 0.014, 0], [1, 0, 0, -0.01]),
      [["CSS-MORPH-DROPPED", "/morph_targets/0"]],
    ],
    [(d) => d.morph_targets = morph([0, 0, 0.0151, 0]), []],
    [
      (d) => d.morph_targets = morph(),
      [["CSS-MORPH-DROPPED", "/morph_targets/0"]],
    ],
  ];
  for (const [change, want] of cases) {
    assertEquals(warn(change), want, change.toString());
  }
});

Deno.test("validateCssMesh() warns of a byte order mark and of keys that stand twice", () => {
  const text = JSON.stringify(triangle());
  const twice = `\ufeff{"points":[],"schema":7,${text.slice(1, -1)},"x":1}`;
  assertEquals(brief(validateCssMesh(utf8(twice)).list), [
    ["CSS-BOM", "file"],
    ["CSS-KEY-REPEATED", "/schema"],
    ["CSS-KEY-REPEATED", "/points"],
    ["CSS-KEY-UNKNOWN", "/x"],
  ]);
  const bones = text.replace('"name":"root"', '"name":"x","name":"root"');
  assertEquals(brief(validateCssMesh(utf8(bones)).list), [
    ["CSS-KEY-REPEATED", "/bones"],
  ]);
});

Deno.test("validateCssMesh() gives one finding with R-FILE, R-JSON or R-ROOT when there is no JSON object", () => {
  const cases: [string, string, number][] = [
    ["", "R-FILE", 0],
    ["[1]", "R-ROOT", 0],
    [' "x"', "R-ROOT", 1],
    ["{} {}", "R-JSON", 3],
    ['{"a":1,}', "R-JSON", 7],
    ['{"points":[[1,2,3],]}', "R-JSON", 19],
    ["{'a':1}", "R-JSON", 1],
    ["hello", "R-JSON", 0],
  ];
  for (const [text, code, offset] of cases) {
    const { list, errors } = validateCssMesh(utf8(text));
    assertEquals([list.length, errors, list[0].code, list[0].where], [
      1,
      1,
      code,
      `byte ${offset}`,
    ], text);
  }
});

Deno.test("validateCssMesh() says byte, line and column of a value when the text has many lines", () => {
  const doc = changed((d) => {
    d.materials = ["Ä", "ß", "ä"];
    d.faces = [[0, 2, 1, 9]];
    d["a/b~c"] = 1;
  });
  const text = JSON.stringify(doc, null, 2);
  for (const bytes of [utf8(text), utf8(`\ufeff${text}`)]) {
    const shift = bytes.length - utf8(text).length;
    for (const f of validateCssMesh(bytes).list) {
      if (f.where === "file") continue;
      const key = {
        "/materials/2": '"ä"',
        "/faces/0/3": "9",
        "/a~1b~0c": "1",
        "/wedges/0": "[",
      }[f.where];
      assert(key !== undefined, f.where);
      const found = new TextDecoder().decode(
        bytes.subarray(f.offset!, f.offset! + utf8(key).length),
      );
      assertEquals(found, key, f.where);
      const before = new TextDecoder("utf-8").decode(
        bytes.subarray(shift, f.offset!),
      );
      const line = before.split("\n").length;
      const column = before.length - before.lastIndexOf("\n");
      assert(
        f.message.endsWith(`(line ${line}, column ${column})`),
        `${f.message}: line ${line}, column ${column}`,
      );
    }
  }
});

Deno.test("validateCssMesh() lists 1,000 findings, the importer's first one first, and counts all", () => {
  const n = MAX_LISTED_FINDINGS;
  const doc = changed((d) => {
    d.faces = Array.from({ length: n + 500 }, () => [0, 0, 0, 0]);
    d.points.push(...Array.from({ length: 300 }, () => [20000, 0, 0]));
    d.wedges.push([0], [999, 0, 0]);
    d.influences.push("x");
  });
  const findings = validateCssMesh(bytesOf(doc));
  assertEquals(findings.list.length, n);
  assertEquals(findings.list[0].code, "R-POINT-RANGE");
  assertEquals(findings.list[299].where, "/points/302/0");
  assertEquals(findings.list[300].where, "/wedges/3");
  assertEquals(findings.list[301].where, "/wedges/4/0");
  assertEquals(findings.list[302].code, "R-FACE-DEGENERATE");
  // points, wedges, faces, the influence, and the 300 points without weight
  assertEquals(findings.errors, 300 + 2 + n + 500 + 1 + 300);
});

Deno.test("validateCssMesh() counts all rows that are broken when they are more than it lists", () => {
  const n = MAX_LISTED_FINDINGS + 777;
  const doc = changed((d) => {
    d.influences = Array.from({ length: n }, () => [0]);
  });
  const findings = validateCssMesh(bytesOf(doc));
  // one for the limit of 8 x 3 rows, and three points without weights
  assertEquals(findings.errors, 1 + n + 3);
  assertEquals(findings.list.length, MAX_LISTED_FINDINGS);
});

corpusTest(
  "validateCssMesh() accepts and refuses what the corpus says, the rule first",
  () => {
    const expect = corpusJson<
      { file: string; accept: boolean; rule: string | null; note?: string }[]
    >("css/EXPECT.json");
    for (const { file, accept, rule, note } of expect) {
      const { list, errors } = validateCssMesh(corpusBytes(`css/${file}`));
      assertEquals(errors === 0, accept, file);
      if (!accept) assertEquals(list[0].code, rule, file);
      if (note?.startsWith("warn")) {
        assert(list.some((f) => f.severity === "warning"), file);
      }
    }
    assert(expect.length > 80);
  },
);
