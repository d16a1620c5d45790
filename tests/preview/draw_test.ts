import { assert, assertEquals, assertThrows } from "@std/assert";
import { meshOf, readFile } from "../../src/convert/read.ts";
import { BASES, type BasisId } from "../../src/core/basis.ts";
import type { Mesh } from "../../src/core/mesh.ts";
import {
  drawMesh,
  type DrawOptions,
  MODES,
  type Picture,
  viewAxes,
  VIEWS,
  writePng,
} from "../../src/preview/mod.ts";
import { boundsOf } from "../../src/core/mesh.ts";
import { convertBasis } from "../../src/ops/convert_basis.ts";
import { drawnBox, drawnPixels, readPng } from "./plain_png.ts";

const SAMPLES = ["lantern.vvd", "terrain.payload", "figure.payload"];

async function sampleMesh(name: string, lod = 0): Promise<Mesh> {
  const url = new URL(`../../samples/${name}`, import.meta.url);
  return meshOf(await readFile(Deno.readFileSync(url), { name }), lod);
}

/** A mesh of quads in glTF's axes, each by its four corners counter-clockwise. */
function quads(
  ...corners: readonly (readonly [number, number, number])[][]
): Mesh {
  const indices = corners.flatMap((_, q) =>
    [0, 1, 2, 0, 2, 3].map((i) => q * 4 + i)
  );
  return {
    name: "",
    basis: "gltf",
    vertexCount: corners.length * 4,
    attributes: { position: Float32Array.from(corners.flat(2)), uvs: [] },
    influences: 0,
    lods: [{
      indices: Uint32Array.from(indices),
      groups: corners.map((_, q) => ({ start: q * 6, count: 6, material: q })),
      switchDistance: null,
    }],
    materials: corners.map((_, q) => `m${q}`),
    morphs: null,
    skeleton: null,
    heightfield: null,
  };
}

/** A quad that faces +Z. */
const square = (x: number, y: number, z: number, size: number) =>
  [[x, y, z], [x + size, y, z], [x + size, y + size, z], [x, y + size, z]] as [
    number,
    number,
    number,
  ][];

const boxOf = (picture: Picture) => drawnBox(drawnPixels(picture));

/** Colour of the pixel at a place of the picture, 0 to 1 from the top left. */
function pixel(
  { width, height, pixels }: Picture,
  x: number,
  y: number,
): number[] {
  const at = Math.floor(y * height) * width + Math.floor(x * width);
  return [...pixels.subarray(at * 3, at * 3 + 3)];
}

Deno.test("viewAxes() is right-handed and of unit length when any view of any basis is taken", () => {
  for (const basis of Object.keys(BASES) as BasisId[]) {
    for (const view of VIEWS) {
      const { right: r, up: u, toward: t } = viewAxes(basis, view);
      const cross = [
        r[1] * u[2] - r[2] * u[1],
        r[2] * u[0] - r[0] * u[2],
        r[0] * u[1] - r[1] * u[0],
      ];
      for (let k = 0; k < 3; k++) {
        assert(Math.abs(cross[k] - t[k]) < 1e-12, `${basis} ${view}`);
      }
      const length = Math.hypot(...u);
      assert(Math.abs(length - 1) < 1e-12, `${basis} ${view}: ${length}`);
    }
  }
});

Deno.test("viewAxes() stands where each convention says when the front is asked for", () => {
  // Source: X forward; glTF: the front faces +Z
  assertEquals(viewAxes("source", "front").toward, [1, 0, 0]);
  assertEquals(viewAxes("gltf", "front").toward, [0, 0, 1]);
  // who looks at a glTF model's front has +X on the right
  assertEquals(viewAxes("gltf", "right").toward, [1, 0, -0]);
});

Deno.test("drawMesh() fills the picture up to its margin when it shows each sample from each side", async () => {
  for (const name of SAMPLES) {
    const mesh = await sampleMesh(name);
    const moved = convertBasis(mesh, "gltf").mesh;
    for (const view of VIEWS) {
      const [width, height] = [160, 120];
      const box = boxOf(drawMesh(mesh, { view, width, height }));
      const { right, up } = viewAxes(mesh.basis, view);
      const drawn = mesh.lods[0].indices ??
        Uint32Array.from({ length: mesh.vertexCount }, (_, v) => v);
      const extent = [right, up].map((axis) => {
        const along = Array.from(
          drawn,
          (v) =>
            axis.reduce(
              (sum, a, k) => sum + a * moved.attributes.position[v * 3 + k],
              0,
            ),
        );
        return Math.max(...along) - Math.min(...along);
      });
      const margin = 2 + 0.05 * height;
      const scale = Math.min(
        (width - 2 * margin) / extent[0],
        (height - 2 * margin) / extent[1],
      );
      // points and lines have a radius of up to a pixel and a half; a sliver at a tip may miss every sample
      const off = (pixels: number, units: number) =>
        Math.abs(pixels - units * scale);
      const message = `${name} ${view}: ${JSON.stringify(box)}`;
      assert(off(box.right - box.left + 1, extent[0]) < 3.5, message);
      assert(off(box.bottom - box.top + 1, extent[1]) < 3.5, message);
      assert(Math.abs(box.left + box.right + 1 - width) <= 3, message);
      assert(Math.abs(box.top + box.bottom + 1 - height) <= 3, message);
    }
  }
});

Deno.test("drawMesh() shows mirrored outlines when it looks from opposite sides", async () => {
  for (const name of ["terrain.payload", "figure.payload"]) {
    const mesh = await sampleMesh(name);
    for (const [view, opposite] of [["left", "right"], ["front", "back"]]) {
      const outline = (v: string) =>
        drawnPixels(drawMesh(mesh, { view: v as never, width: 200 }));
      const [a, b] = [outline(view), outline(opposite)];
      let [differ, drawn] = [0, 0];
      a.forEach((row, y) =>
        row.forEach((on, x) => {
          if (on) drawn++;
          if (on !== b[y][row.length - 1 - x]) differ++;
        })
      );
      assert(drawn > 200, `${name} ${view}: ${drawn}`);
      // a sample exactly on an outline may go either way
      assert(differ <= drawn * 0.02, `${name} ${view}: ${differ} of ${drawn}`);
    }
  }
});

Deno.test("drawMesh() hides what is behind when two squares overlap", () => {
  const mesh = quads(square(0, 0, 0, 4), square(1, 1, 1, 2));
  const view = (o: DrawOptions) =>
    drawMesh(mesh, { width: 120, height: 120, ...o });
  const front = view({ view: "front" });
  const back = view({ view: "back" });
  const [middle, corner] = [pixel(front, 0.5, 0.5), pixel(front, 0.2, 0.2)];
  assert(middle.join() !== corner.join(), "the near square shows");
  assertEquals(pixel(back, 0.5, 0.5), pixel(back, 0.2, 0.2));
});

Deno.test("drawMesh() colours the back of a surface otherwise when a triangle is reversed", () => {
  const mesh = quads(square(0, 0, 0, 1));
  const turned = quads(square(0, 0, 0, 1).reverse());
  const middle = (m: Mesh) =>
    pixel(drawMesh(m, { view: "front", width: 64, height: 64 }), 0.5, 0.5);
  const [front, back] = [middle(mesh), middle(turned)];
  assert(Math.abs(front[0] - front[2]) < 16, `grey: ${front}`);
  assert(back[0] > back[2] + 30, `red-brown: ${back}`);
});

Deno.test("drawMesh() shows where the light is when a normal turns", () => {
  const bright = (x: number, y: number, z: number) => {
    const mesh = quads(square(0, 0, 0, 1));
    mesh.attributes.normal = Float32Array.from(
      [0, 1, 2, 3].flatMap(() => [x, y, z]),
    );
    const o = { view: "front", width: 32, height: 32 } as const;
    return pixel(drawMesh(mesh, o), 0.5, 0.5)[1];
  };
  assert(bright(-0.6, 0.8, 0) > bright(0.6, 0.8, 0), "left over right");
  assert(bright(0, 1, 0) > bright(0, -1, 0), "above over below");
});

Deno.test("drawMesh() colours by direction when the mode is normals", () => {
  const mesh = quads(square(0, 0, 0, 1));
  mesh.attributes.normal = Float32Array.from(
    [0, 1, 2, 3].flatMap(() => [-1, 0, 0]),
  );
  const o = { view: "front", mode: "normals", width: 32, height: 32 } as const;
  assertEquals(pixel(drawMesh(mesh, o), 0.5, 0.5), [0, 128, 128]);
});

Deno.test("drawMesh() draws lines and hides nothing of the outline when the mode is wire", async () => {
  const mesh = await sampleMesh("figure.payload");
  const o = { view: "front", width: 120, height: 240 } as const;
  const [solid, wire] = (["solid", "wire"] as const).map((mode) =>
    drawMesh(mesh, { ...o, mode })
  );
  assertEquals(boxOf(wire), boxOf(solid));
  const colors = new Set<string>();
  for (let i = 0; i < wire.pixels.length; i += 3) {
    colors.add(wire.pixels.subarray(i, i + 3).join());
  }
  assert(colors.size > 3, "background, faces, lines and their blends");
});

Deno.test("drawMesh() shows a flat thing as a line when it is seen from its edge", () => {
  const mesh = quads(square(0, 0, 0, 1));
  const box = boxOf(drawMesh(mesh, { view: "top", width: 64, height: 64 }));
  assert(box.right - box.left > 40, JSON.stringify(box));
  assert(box.bottom - box.top < 4, JSON.stringify(box));
});

Deno.test("drawMesh() draws the other level when a coarser one is given", async () => {
  const o = { view: "iso", mode: "wire", width: 200, height: 200 } as const;
  const pictures = await Promise.all([0, 1, 2].map(async (lod) => {
    const picture = drawMesh(await sampleMesh("terrain.payload", lod), o);
    return picture.pixels.join();
  }));
  assertEquals(new Set(pictures).size, 3);
});

Deno.test("drawMesh() passes over what has no place when positions are not finite or indices out of range", () => {
  const whole = quads(square(0, 0, 0, 1));
  const broken = quads(square(0, 0, 0, 1), square(NaN, 0, 0, 1));
  broken.lods[0].indices!.set([0, 1, 99], 9);
  const o = { view: "front", width: 48, height: 48 } as const;
  assertEquals(drawMesh(broken, o).pixels, drawMesh(whole, o).pixels);
});

Deno.test("drawMesh() gives an empty picture when there is nothing, and a dot when all is in one place", () => {
  const nothing = quads();
  assertEquals(boxOf(drawMesh(nothing, { width: 32, height: 32 })).count, 0);
  const dot = quads(square(5, 5, 5, 0));
  dot.lods[0] = { indices: null, groups: [], switchDistance: null };
  const box = boxOf(drawMesh(dot, { width: 32, height: 32 }));
  assert(box.count > 0 && box.right - box.left < 5, JSON.stringify(box));
  assertEquals(boundsOf(dot.attributes.position)?.min, [5, 5, 5]);
});

Deno.test("drawMesh() leaves a part out when it is not the shown one", () => {
  const mesh = quads(square(0, 0, 0, 1), square(2, 0, 0, 1));
  mesh.parts = [true, false].map((shown, choice) => ({
    group: "g",
    groupIndex: 0,
    name: `${choice}`,
    choice,
    shown,
  }));
  mesh.lods[0].groups.forEach((g, i) => g.part = i);
  const picture = drawMesh(mesh, { view: "front", width: 90, height: 60 });
  assertEquals(pixel(picture, 0.9, 0.5), pixel(picture, 0, 0));
  assert(pixel(picture, 0.15, 0.5).join() !== pixel(picture, 0, 0).join());
});

Deno.test("drawMesh() refuses a size when it is no whole number of 16 to 4096", () => {
  const mesh = quads(square(0, 0, 0, 1));
  for (const width of [0, 15, 4097, 20.5, NaN, -3]) {
    assertThrows(() => drawMesh(mesh, { width }), TypeError, "width");
  }
});

Deno.test("writePng() writes the picture's own pixels when an independent reader opens it", async () => {
  const mesh = await sampleMesh("figure.payload");
  for (const mode of MODES) {
    const picture = drawMesh(mesh, { mode, width: 101, height: 67 });
    assertEquals(readPng(writePng(picture)), picture);
  }
});

Deno.test("writePng() gives equal bytes when the same mesh is drawn twice", async () => {
  for (const name of SAMPLES) {
    const once = async () =>
      writePng(drawMesh(await sampleMesh(name), { width: 320, height: 240 }));
    assertEquals(await once(), await once());
  }
});

Deno.test("drawMesh() shows the front when a back lies in the same plane", () => {
  const front = square(-0.3, 0.1, 0.7, 1.7);
  // the same sheet from behind, cut along the other diagonal
  const [a, b, c, d] = front;
  const sheet = quads(front, [b, a, d, c]);
  const fronts = quads(front);
  const backs = quads([a, d, c, b]);
  for (const mode of MODES) {
    const options = { mode, width: 300, height: 200, view: "iso" } as const;
    const seen = drawMesh(sheet, options);
    if (mode === "solid") {
      assertEquals(seen.pixels, drawMesh(fronts, options).pixels);
      const wrong = drawMesh(backs, options).pixels;
      assert(seen.pixels.some((x, i) => x !== wrong[i]));
    }
    // whichever is drawn first
    const turned: Mesh = {
      ...sheet,
      lods: [{
        ...sheet.lods[0],
        groups: sheet.lods[0].groups.toReversed(),
      }],
    };
    assertEquals(seen.pixels, drawMesh(turned, options).pixels);
  }
});
