/**
 * What `meshwright help COMMAND` says beside the options: exit codes, and examples that a test runs on the samples.
 *
 * @module
 */

/** The manual of one command. */
export interface ManualPage {
  /** Exit codes with what they mean here. */
  readonly exits: Readonly<Record<number, string>>;
  /** Command lines with what they do. */
  readonly examples: readonly (readonly [line: string, does: string])[];
}

const PRINTS = { 0: "fine", 2: "wrong use" };
const READS = {
  ...PRINTS,
  3: "input unreadable or invalid",
  4: "a limit exceeded",
};
const WRITES = {
  ...READS,
  5: "output could not be written",
  130: "interrupted; no half file is left",
};
const CONVERTS = { ...WRITES, 1: "a loss with --strict; nothing written" };

/** The manual pages by command. */
export const MANUAL: Readonly<Record<string, ManualPage>> = {
  inspect: {
    exits: READS,
    examples: [
      ["meshwright inspect lantern.vvd", "a table for people"],
      ["meshwright inspect buoy.mdl --lod 1", "the second level of detail"],
      [
        "meshwright inspect --json *.payload",
        "one JSON object a line, for other programs",
      ],
    ],
  },
  validate: {
    exits: { ...WRITES, 1: "an error, or with --strict a warning" },
    examples: [
      ["meshwright validate figure.payload", "every finding with its place"],
      [
        "meshwright validate --json --strict *.vvd",
        "for a build that warnings shall fail",
      ],
    ],
  },
  convert: {
    exits: CONVERTS,
    examples: [
      ["meshwright convert buoy.mdl buoy.glb", "a whole Source model"],
      [
        "meshwright convert figure.payload figure.json --dry-run",
        "what the other format would lose, nothing written",
      ],
      [
        "meshwright convert terrain.payload - --to gltf >terrain.glb",
        "through stdout",
      ],
    ],
  },
  batch: {
    exits: { ...CONVERTS, 1: "a file lost something with --strict" },
    examples: [
      [
        'meshwright batch "*.payload" --out-dir converted --to gltf',
        "all at once, with converted/manifest.json",
      ],
      [
        'meshwright batch "*.payload" --out-dir converted --to gltf --resume',
        "go on after Ctrl-C or a crash",
      ],
    ],
  },
  replay: {
    exits: WRITES,
    examples: [
      [
        "meshwright replay lantern.vvd lantern_lod1.vvd --lod 1",
        "the vertices that a machine at root LOD 1 holds",
      ],
    ],
  },
  tangents: {
    exits: CONVERTS,
    examples: [
      ["meshwright tangents terrain.payload tangents.glb", "MikkTSpace"],
      [
        "meshwright tangents terrain.payload reference.glb --mode reference",
        "the bits of the C code",
      ],
    ],
  },
  normals: {
    exits: CONVERTS,
    examples: [
      [
        "meshwright normals terrain.payload normals.glb --tangents rebuild",
        "new normals, and tangents that follow them",
      ],
    ],
  },
  heightfield: {
    exits: CONVERTS,
    examples: [
      [
        "meshwright heightfield heights.raw hills.payload --size 9x9 --elevation 40",
        "terrain 128 m wide and deep, up to 40 m high, from raw samples",
      ],
    ],
  },
  diff: {
    exits: { ...READS, 0: "the same mesh", 1: "different" },
    examples: [
      ["meshwright diff terrain.payload terrain.payload", "exits with 0"],
      [
        "meshwright diff figure.payload figure.payload --tolerance 1e-3 --json",
        "deviations up to 1e-3 allowed, answer as JSON",
      ],
    ],
  },
  view: {
    exits: { ...READS, 130: "ended by Ctrl-C" },
    examples: [
      ["meshwright view figure.payload", "prints the address to open"],
      ["meshwright view figure.payload --port 8080", "at a port of your own"],
    ],
  },
  preview: {
    exits: WRITES,
    examples: [
      ["meshwright preview figure.payload figure.png", "shaded, 800 by 600"],
      [
        "meshwright preview buoy.mdl buoy.png --view front --mode wire --size 320x240",
        "the wire frame from the front",
      ],
      [
        "meshwright preview buoy.mdl unlit.png --bodygroup light=2 --skin 1",
        "another model of a body group, in the second skin",
      ],
    ],
  },
  explain: {
    exits: PRINTS,
    examples: [
      ["meshwright explain VVD-FIXUP-SUM", "meaning and cure of one code"],
      ["meshwright explain --json", "all codes, one JSON object a line"],
    ],
  },
  formats: {
    exits: PRINTS,
    examples: [["meshwright formats", "what is read and written"]],
  },
  completions: {
    exits: PRINTS,
    examples: [
      [
        "meshwright completions bash >meshwright.bash",
        "then add `source meshwright.bash` to ~/.bashrc",
      ],
      [
        "meshwright completions zsh >_meshwright",
        "into a folder of zsh's fpath",
      ],
      [
        "meshwright completions fish >meshwright.fish",
        "into ~/.config/fish/completions",
      ],
      [
        "meshwright completions powershell >meshwright.ps1",
        "then add `. PATH/meshwright.ps1` to $PROFILE",
      ],
    ],
  },
  help: {
    exits: PRINTS,
    examples: [["meshwright help convert", "the manual of one command"]],
  },
};
