/**
 * The picture of the mesh: three.js, drawn only when something changes.
 *
 * @module
 */
// @ts-types="@types/three"
import {
  AmbientLight,
  BackSide,
  Box3,
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  DirectionalLight,
  FrontSide,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PerspectiveCamera,
  Points,
  PointsMaterial,
  RepeatWrapping,
  Scene,
  Sphere,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from "three";
// @ts-types="@types/three/OrbitControls"
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { BACK, MATERIALS } from "../src/preview/colors.ts";
import { viewAxes, type ViewName } from "../src/preview/views.ts";
import { colorsFor, type Mode } from "./paint.ts";
import type { ShownMesh } from "./protocol.ts";

/** Hairs (normals, tangents) of at most this many vertices are drawn. */
const MOST_HAIRS = 6_000;

/** A texture that shows where each part of it is, and whether it is mirrored. */
function checker(): CanvasTexture {
  const size = 1024;
  const cells = 8;
  const cell = size / cells;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const draw = canvas.getContext("2d")!;
  draw.textAlign = "center";
  draw.textBaseline = "middle";
  draw.font = `600 ${cell * 0.36}px system-ui, sans-serif`;
  for (let row = 0; row < cells; row++) {
    for (let column = 0; column < cells; column++) {
      const dark = (row + column) % 2 === 0;
      const hue = 360 * column / cells;
      draw.fillStyle = `hsl(${hue} ${dark ? 30 : 45}% ${
        (dark ? 34 : 62) + row * 2
      }%)`;
      draw.fillRect(column * cell, row * cell, cell, cell);
      draw.fillStyle = dark ? "#ffffffb0" : "#000000a0";
      draw.fillText(
        `${"ABCDEFGH"[row]}${column + 1}`,
        (column + 0.5) * cell,
        (row + 0.52) * cell,
      );
    }
  }
  const texture = new CanvasTexture(canvas);
  texture.flipY = false;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 8;
  return texture;
}

/** What faces share that are seen from the front: they lie a little behind the lines that are drawn on them. */
const FRONT = {
  side: FrontSide,
  polygonOffset: true,
  polygonOffsetFactor: 1,
  polygonOffsetUnits: 1,
};

/** Backs lie farther behind: where a sheet has both its sides in one plane, the front is seen. */
const BACKWARD = { ...FRONT, side: BackSide, polygonOffsetUnits: 16 };

/** Materials of both sides of a surface. */
interface Sides<F> {
  front: F;
  back: Material;
}

/** The same look from both sides. */
function bothSides<T extends Material>(
  make: (side: typeof FRONT | typeof BACKWARD) => T,
): { front: T; back: T } {
  return { front: make(FRONT), back: make(BACKWARD) };
}

/** The picture. */
export class Stage {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(35, 1, 0.01, 100);
  readonly #controls: OrbitControls;
  // the back has a colour of its own, so that reversed triangles are seen
  readonly #solid: Sides<Material[]> = {
    front: MATERIALS.map((rgb) =>
      new MeshLambertMaterial({ color: new Color(...rgb), ...FRONT })
    ),
    back: new MeshLambertMaterial({ color: new Color(...BACK), ...BACKWARD }),
  };
  readonly #texture = checker();
  readonly #checker = bothSides((side) =>
    new MeshLambertMaterial({ map: this.#texture, ...side })
  );
  readonly #painted = bothSides((side) =>
    new MeshBasicMaterial({ vertexColors: true, ...side })
  );
  readonly #litPaint = bothSides((side) =>
    new MeshLambertMaterial({ vertexColors: true, ...side })
  );
  readonly #fill = bothSides((side) => new MeshBasicMaterial(side));
  readonly #lines = new MeshBasicMaterial({ wireframe: true });
  readonly #points = new PointsMaterial({
    vertexColors: true,
    sizeAttenuation: false,
  });
  readonly #hairLines = new LineBasicMaterial();
  #mesh: ShownMesh | null = null;
  #geometry = new BufferGeometry();
  #faces: Mesh | null = null;
  #backs: Mesh | null = null;
  #edges: Mesh | null = null;
  #cloud: Points | null = null;
  #hairs: LineSegments | null = null;
  #mode: Mode = "solid";
  #showEdges = false;
  #joint: number | null = null;
  #lod = 0;
  #asked = false;
  /** Called after each picture. */
  onDraw: () => void = () => {};

  constructor(readonly canvas: HTMLCanvasElement) {
    this.#renderer = new WebGLRenderer({ canvas, antialias: true });
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.#points.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        if (length(gl_PointCoord - 0.5) > 0.5) discard;`,
      );
    };
    const key = new DirectionalLight(0xffffff, 2.3);
    key.position.set(-0.48, 0.6, 0.64);
    this.#camera.add(key, key.target);
    key.target.position.set(0, 0, 0);
    this.#scene.add(
      this.#camera,
      new HemisphereLight(0xffffff, 0x8890a0, 0.9),
      new AmbientLight(0xffffff, 0.25),
    );
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.addEventListener("change", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** Draws with the next frame. */
  draw(): void {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      const { clientWidth: width, clientHeight: height } = this.canvas;
      if (width === 0 || height === 0) return;
      const ratio = this.#renderer.getPixelRatio();
      if (
        this.canvas.width !== Math.floor(width * ratio) ||
        this.canvas.height !== Math.floor(height * ratio)
      ) this.#renderer.setSize(width, height, false);
      this.#camera.aspect = width / height;
      this.#camera.updateProjectionMatrix();
      this.#renderer.render(this.#scene, this.#camera);
      this.onDraw();
    });
  }

  /** Colours that follow the page's: background, lines, and the faces between them. */
  setColors(background: string, line: string, fill: string): void {
    this.#scene.background = new Color(background);
    this.#lines.color.set(line);
    this.#hairLines.color.set(line);
    this.#fill.front.color.set(fill);
    this.#fill.back.color.set(fill);
    this.draw();
  }

  /** Shows a mesh; the camera stays when `keepCamera` is set. */
  show(mesh: ShownMesh, keepCamera = false): void {
    this.#clear();
    this.#mesh = mesh;
    this.#lod = Math.min(this.#lod, mesh.lods.length - 1);
    if (!keepCamera) {
      this.#lod = 0;
      this.#joint = null;
    }
    const geometry = new BufferGeometry();
    this.#geometry = geometry;
    const set = (name: string, values: Float32Array | null, width: number) => {
      if (values) {
        geometry.setAttribute(name, new BufferAttribute(values, width));
      }
    };
    set("position", mesh.position.slice(), 3);
    set("normal", mesh.normal?.slice() ?? null, 3);
    set("uv", mesh.uv, 2);
    if (mesh.lods[0].indices) {
      if (!mesh.normal) {
        geometry.setIndex(new BufferAttribute(mesh.lods[0].indices, 1));
        geometry.computeVertexNormals();
      }
      this.#faces = new Mesh(geometry);
      this.#backs = new Mesh(geometry);
      this.#edges = new Mesh(geometry, this.#lines);
      this.#scene.add(this.#faces, this.#backs, this.#edges);
    } else {
      this.#cloud = new Points(geometry, this.#points);
      this.#scene.add(this.#cloud);
    }
    this.setLod(this.#lod);
    this.#paint();
    if (!keepCamera) this.setView("iso");
  }

  #clear(): void {
    const objects = [
      this.#faces,
      this.#backs,
      this.#edges,
      this.#cloud,
      this.#hairs,
    ];
    for (const object of objects) {
      if (!object) continue;
      this.#scene.remove(object);
      object.geometry.dispose();
    }
    this.#faces =
      this.#backs =
      this.#edges =
      this.#cloud =
      this.#hairs =
        null;
  }

  /** Empties the picture. */
  clear(): void {
    this.#clear();
    this.#mesh = null;
    this.draw();
  }

  /** Shows one level of detail. */
  setLod(level: number): void {
    const mesh = this.#mesh;
    if (!mesh) return;
    this.#lod = level;
    const lod = mesh.lods[level];
    if (!lod?.indices) return;
    const geometry = this.#geometry;
    geometry.setIndex(new BufferAttribute(lod.indices, 1));
    geometry.clearGroups();
    const groups = lod.groups.length > 0
      ? lod.groups
      : [{ start: 0, count: lod.indices.length, material: 0 }];
    for (const { start, count, material } of groups) {
      geometry.addGroup(start, count, material % MATERIALS.length);
    }
    this.#hair();
    this.draw();
  }

  /** Shows another thing about the mesh. */
  setMode(mode: Mode): void {
    this.#mode = mode;
    this.#paint();
  }

  /** Draws the edges of triangles over every mode. */
  setEdges(on: boolean): void {
    this.#showEdges = on;
    this.#paint();
  }

  /** The joint whose weights are shown; null for all. */
  setJoint(joint: number | null): void {
    this.#joint = joint;
    this.#paint();
  }

  /** Moves the vertices: one weight a morph target. */
  setMorphs(influences: readonly number[]): void {
    const mesh = this.#mesh;
    const morphs = mesh?.morphs;
    if (!mesh || !morphs) return;
    const position = this.#geometry.getAttribute("position") as BufferAttribute;
    const normal = this.#geometry.getAttribute("normal") as
      | BufferAttribute
      | undefined;
    const move = (
      to: Float32Array,
      from: Float32Array,
      deltas: Float32Array,
    ) => {
      to.set(from);
      for (let v = 0; v < mesh.vertexCount; v++) {
        for (let e = morphs.offsets[v]; e < morphs.offsets[v + 1]; e++) {
          const weight = influences[morphs.targets[e]] ?? 0;
          if (weight === 0) continue;
          for (let k = 0; k < 3; k++) {
            to[v * 3 + k] += weight * deltas[e * 3 + k];
          }
        }
      }
    };
    move(position.array as Float32Array, mesh.position, morphs.position);
    position.needsUpdate = true;
    if (normal && mesh.normal && morphs.normal) {
      move(normal.array as Float32Array, mesh.normal, morphs.normal);
      if (influences.some((w) => w !== 0)) this.#geometry.normalizeNormals();
      normal.needsUpdate = true;
    }
    this.#hair();
    this.draw();
  }

  #paint(): void {
    const mesh = this.#mesh;
    if (!mesh) return;
    const colors = colorsFor(mesh, this.#mode, this.#joint);
    if (colors) {
      this.#geometry.setAttribute("color", new BufferAttribute(colors, 3));
    } else this.#geometry.deleteAttribute("color");
    if (this.#faces && this.#backs && this.#edges) {
      const sides: Sides<Material | Material[]> = this.#mode === "wire"
        ? this.#fill
        : this.#mode === "uv"
        ? this.#checker
        : colors && this.#mode === "weights"
        ? this.#litPaint
        : colors
        ? this.#painted
        : this.#solid;
      this.#faces.material = sides.front;
      this.#backs.material = sides.back;
      this.#edges.visible = this.#mode === "wire" || this.#showEdges;
    }
    if (this.#cloud) {
      const few = Math.min(7, Math.max(2, 240 / Math.sqrt(mesh.vertexCount)));
      this.#points.size = few * this.#renderer.getPixelRatio();
      this.#points.vertexColors = colors !== null;
      this.#points.needsUpdate = true;
    }
    this.#hair();
    this.draw();
  }

  /** Short lines along normals or tangents. */
  #hair(): void {
    if (this.#hairs) {
      this.#scene.remove(this.#hairs);
      this.#hairs.geometry.dispose();
      this.#hairs = null;
    }
    const mesh = this.#mesh;
    const values = this.#mode === "normals"
      ? mesh?.normal
      : this.#mode === "tangents"
      ? mesh?.tangent
      : null;
    if (!mesh || !values) return;
    const width = this.#mode === "normals" ? 3 : 4;
    const used = new Set(mesh.lods[this.#lod]?.indices ?? []);
    const vertices = used.size > 0
      ? [...used]
      : Array.from({ length: mesh.vertexCount }, (_, v) => v);
    const step = Math.ceil(vertices.length / MOST_HAIRS);
    const length = this.#sphere().radius * 0.03;
    const position = this.#geometry.getAttribute("position").array;
    const ends: number[] = [];
    for (let i = 0; i < vertices.length; i += step) {
      const v = vertices[i];
      for (const far of [0, length]) {
        for (let k = 0; k < 3; k++) {
          ends.push(position[v * 3 + k] + far * values[v * width + k]);
        }
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute(
      "position",
      new BufferAttribute(Float32Array.from(ends), 3),
    );
    this.#hairs = new LineSegments(geometry, this.#hairLines);
    this.#scene.add(this.#hairs);
  }

  /** The ball around what is shown. */
  #sphere(): Sphere {
    const box = new Box3();
    const mesh = this.#mesh;
    const at = new Vector3();
    if (mesh) {
      const indices = mesh.lods[0].indices;
      const count = indices?.length ?? mesh.vertexCount;
      for (let i = 0; i < count; i++) {
        const v = indices ? indices[i] : i;
        box.expandByPoint(at.fromArray(mesh.position, v * 3));
      }
    }
    const sphere = box.getBoundingSphere(new Sphere());
    if (!(sphere.radius > 0)) sphere.radius = 1;
    if (box.isEmpty()) sphere.center.set(0, 0, 0);
    // three.js would compute its own, of unused vertices too
    this.#geometry.boundingSphere = sphere.clone();
    return sphere;
  }

  /** Looks from a side, at the whole. */
  setView(view: ViewName): void {
    const { toward } = viewAxes(this.#mesh?.basis ?? "gltf", view);
    this.#look(new Vector3(...toward));
  }

  /** Shows the whole from where the camera is. */
  fit(): void {
    this.#look(
      this.#camera.position.clone().sub(this.#controls.target).normalize(),
    );
  }

  #look(direction: Vector3): void {
    const { center, radius } = this.#sphere();
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const half = this.#camera.fov / 2 * Math.PI / 180;
    const narrow = width > 0 && height > 0
      ? Math.min(half, Math.atan(Math.tan(half) * width / height))
      : half;
    const distance = radius / Math.sin(narrow) * 1.02;
    this.#camera.near = distance / 1000;
    this.#camera.far = distance * 20;
    this.#controls.target.copy(center);
    this.#camera.position.copy(center).addScaledVector(direction, distance);
    this.#controls.update();
    this.draw();
  }

  /** Turns the camera: radians around and up. */
  turn(around: number, up: number): void {
    const { target } = this.#controls;
    const arm = this.#camera.position.clone().sub(target);
    const flat = Math.hypot(arm.x, arm.z);
    const angle = Math.atan2(arm.x, arm.z) + around;
    const height = Math.min(
      1.55,
      Math.max(-1.55, Math.atan2(arm.y, flat) + up),
    );
    const length = arm.length();
    arm.set(
      Math.sin(angle) * Math.cos(height),
      Math.sin(height),
      Math.cos(angle) * Math.cos(height),
    );
    this.#camera.position.copy(target).addScaledVector(arm, length);
    this.#controls.update();
    this.draw();
  }

  /** Moves the camera nearer (below 1) or away. */
  zoom(factor: number): void {
    const { target } = this.#controls;
    this.#camera.position.sub(target).multiplyScalar(factor).add(target);
    this.#controls.update();
    this.draw();
  }
}
