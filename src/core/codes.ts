/**
 * The one table of codes: errors and findings share it, `meshwright explain` prints it.
 *
 * @module
 */

/** How bad a finding is. */
export type Severity = "error" | "warning" | "info";

/** One row of the table. */
export interface CodeInfo {
  /** Which built-in the error extends: RangeError, SyntaxError, TypeError or Error. */
  readonly kind: "range" | "syntax" | "type" | "plain";
  /** Severity as a finding. */
  readonly severity: Severity;
  /** What it means. */
  readonly meaning: string;
  /** How to mend it. */
  readonly mend: string;
}

/** Every code with its meaning and its cure. */
export const CODES = {
  "FORMAT-UNKNOWN": {
    kind: "type",
    severity: "error",
    meaning:
      "The content of the file matches no known format, and its extension settles nothing.",
    mend:
      "Check that the file is what its name says. `--from ID` names the format by hand; `meshwright formats` lists the ids.",
  },
  "FORMAT-UNSUPPORTED": {
    kind: "type",
    severity: "error",
    meaning: "The format is known, but this version does not read or write it.",
    mend:
      "`meshwright formats` shows what this version reads and writes; choose another target, or convert the file with its own tools first.",
  },
  "LIMIT-EXCEEDED": {
    kind: "range",
    severity: "error",
    meaning: "A count or size passes a limit that guards memory and time.",
    mend:
      "Split the input, or raise the named limit through the library's `limits` option if the machine has the memory.",
  },
  "ARGUMENT": {
    kind: "type",
    severity: "error",
    meaning: "A function was called with a value outside what it accepts.",
    mend: "The message names the argument, the value and what is allowed.",
  },
  "KERNEL-START": {
    kind: "plain",
    severity: "error",
    meaning:
      "The WebAssembly kernels could not be started. Some edge runtimes forbid compiling from bytes, and the kernels need SIMD.",
    mend:
      "Import `@meshwright/kit/kernels.wasm` statically and pass the module to `initSync()` or `init()` before the first call.",
  },
  "KERNEL-MEMORY": {
    kind: "range",
    severity: "error",
    meaning:
      "A kernel asked for more memory than the limit allows or the runtime gives. The kernels stay usable.",
    mend: "Raise `maxKernelBytes`, or give smaller pieces.",
  },
  "FILE-READ": {
    kind: "plain",
    severity: "error",
    meaning: "The input file could not be opened or read.",
    mend: "Check the path and the permissions; Deno needs `--allow-read`.",
  },
  "FILE-WRITE": {
    kind: "plain",
    severity: "error",
    meaning:
      "The output could not be written. The old file, if there was one, is whole.",
    mend:
      "Check free space, the folder and the permissions; Deno needs `--allow-write`.",
  },
  "BATCH-COLLISION": {
    kind: "plain",
    severity: "error",
    meaning:
      "Two inputs of a batch would give the same output, or an output would replace an input.",
    mend: "Rename one of them, or convert them into different folders.",
  },
  "BATCH-STRICT": {
    kind: "plain",
    severity: "error",
    meaning: "The conversion loses something, and `--strict` refuses losses.",
    mend:
      "Leave out `--strict`, or choose a target that holds everything; `convert --json --dry-run` lists the losses.",
  },
  "BATCH-WORKER": {
    kind: "plain",
    severity: "error",
    meaning:
      "The worker that converted the file broke down, most likely for want of memory.",
    mend:
      "Try fewer `--jobs`, and the file alone with `convert`. If it breaks down there too, report it with the file.",
  },
  "VVD-EMPTY": {
    kind: "type",
    severity: "error",
    meaning: "The file has no bytes: a failed download or extraction.",
    mend: "Extract or download the file again.",
  },
  "VVD-ZERO": {
    kind: "type",
    severity: "error",
    meaning:
      "The file holds nothing but zero bytes: a failed extraction or a sparse copy.",
    mend: "Extract or download the file again.",
  },
  "VVD-LFS-POINTER": {
    kind: "type",
    severity: "error",
    meaning:
      "The file is a Git LFS pointer, a short text that stands for the real file.",
    mend: "Run `git lfs pull` in the repository that it came from.",
  },
  "VVD-BIG-ENDIAN": {
    kind: "type",
    severity: "error",
    meaning: "The file is a big-endian console file (magic VSDI).",
    mend: "Console files are not supported; use the PC version of the model.",
  },
  "VVD-MEMORY-IMAGE": {
    kind: "type",
    severity: "error",
    meaning:
      "The magic (IDCV or IDDV) belongs to an in-memory cache or a colour file, not to a VVD on disk.",
    mend:
      "Use the .vvd file from the game's archive. IDCV on disk is a .vvc colour file.",
  },
  "VVD-SHIFTED": {
    kind: "type",
    severity: "error",
    meaning:
      "The magic stands at the wrong place: an unpacker lost or added bytes in front.",
    mend: "Extract the file again with another tool.",
  },
  "VVD-MAGIC": {
    kind: "type",
    severity: "error",
    meaning: "The file does not begin with IDSV.",
    mend:
      "Check that this is a Source vertex file; `--from` names another format.",
  },
  "VVD-TRUNCATED": {
    kind: "range",
    severity: "error",
    meaning: "The file ends inside the 64-byte header.",
    mend: "Extract or download the file again.",
  },
  "VVD-VERSION": {
    kind: "range",
    severity: "error",
    meaning:
      "The version is not 4. Other versions keep their vertices in the MDL or in another layout.",
    mend:
      "Use a model compiled for Half-Life 2 to Counter-Strike: Global Offensive (MDL 44 to 49).",
  },
  "VVD-LOD-COUNT": {
    kind: "range",
    severity: "error",
    meaning: "numLODs is not between 1 and 8; the engine refuses such a file.",
    mend: "Compile the model again.",
  },
  "VVD-COUNT-NEGATIVE": {
    kind: "range",
    severity: "error",
    meaning: "A count or offset in the header is negative.",
    mend: "The header is damaged; extract the file again.",
  },
  "VVD-RANGE": {
    kind: "range",
    severity: "error",
    meaning: "A table or pool would end behind the end of the file.",
    mend: "The file is cut off or its header is damaged; extract it again.",
  },
  "VVD-FIXUP-RANGE": {
    kind: "range",
    severity: "error",
    meaning: "A fixup names vertices outside the pool.",
    mend: "The fixup table is damaged; compile the model again.",
  },
  "VVD-FIXUP-SUM": {
    kind: "range",
    severity: "error",
    meaning:
      "The fixups of a root LOD do not add up to numLODVertexes of that LOD. The engine trusts the sum and would overrun.",
    mend: "Compile the model again.",
  },
  "VVD-NO-VERTICES": {
    kind: "range",
    severity: "error",
    meaning:
      "vertexDataStart is 0 although the header counts vertices: the pool is absent.",
    mend: "Use the complete .vvd file.",
  },
  "VVD-FIXUP-LOD": {
    kind: "range",
    severity: "warning",
    meaning:
      "A fixup's lod is negative or not below numLODs. The rule lod ≥ root LOD still decides.",
    mend: "Harmless for reading; compile again to be clean.",
  },
  "VVD-FIXUP-OVERLAP": {
    kind: "range",
    severity: "warning",
    meaning: "Two fixups name the same vertex, so replay repeats it.",
    mend: "Compile the model again if a mesh looks doubled.",
  },
  "VVD-FIXUP-COVER": {
    kind: "range",
    severity: "warning",
    meaning: "At root LOD 0 the fixups leave out some vertices of the pool.",
    mend: "Compile the model again if parts are missing.",
  },
  "VVD-LOD-ORDER": {
    kind: "range",
    severity: "warning",
    meaning:
      "numLODVertexes grows from one LOD to the next; a lower detail needs no more vertices than a higher one.",
    mend: "Check the counts; the file was not written by the usual compiler.",
  },
  "VVD-OVERLAP": {
    kind: "range",
    severity: "warning",
    meaning:
      "Two regions of the file (header, fixups, vertices, tangents) share bytes.",
    mend: "The offsets are damaged or hand-made; check the vertices.",
  },
  "VVD-EXTRA": {
    kind: "range",
    severity: "warning",
    meaning:
      "Bytes behind the tangents look like an extra-data block but its index does not hold.",
    mend: "The bytes are kept as they are and are not replayed.",
  },
  "VVD-TRAILING": {
    kind: "range",
    severity: "info",
    meaning:
      "Bytes behind the last pool belong to nothing known. They are kept when the file is rewritten.",
    mend: "Nothing to do.",
  },
  "VVD-PLACEMENT": {
    kind: "range",
    severity: "info",
    meaning: "The pools stand elsewhere than the usual compiler puts them.",
    mend: "Nothing to do; the file is read by its offsets.",
  },
  "VVD-BONE-COUNT": {
    kind: "range",
    severity: "warning",
    meaning:
      "A vertex has 0 or more than 3 bones. 0 is read as rigid to bone 0, more than 3 as 3.",
    mend: "Compile the model again if it deforms wrongly.",
  },
  "MDL-EMPTY": {
    kind: "type",
    severity: "error",
    meaning: "The file has no bytes: a failed download or extraction.",
    mend: "Extract or download the file again.",
  },
  "MDL-ZERO": {
    kind: "type",
    severity: "error",
    meaning:
      "The file holds nothing but zero bytes: a failed extraction or a sparse copy.",
    mend: "Extract or download the file again.",
  },
  "MDL-LFS-POINTER": {
    kind: "type",
    severity: "error",
    meaning:
      "The file is a Git LFS pointer, a short text that stands for the real file.",
    mend: "Run `git lfs pull` in the repository that it came from.",
  },
  "MDL-BIG-ENDIAN": {
    kind: "type",
    severity: "error",
    meaning: "The file is a big-endian console file (magic TSDI).",
    mend: "Console files are not supported; use the PC version of the model.",
  },
  "MDL-SHIFTED": {
    kind: "type",
    severity: "error",
    meaning:
      "The magic stands at the wrong place: an unpacker lost or added bytes in front.",
    mend: "Extract the file again with another tool.",
  },
  "MDL-MAGIC": {
    kind: "type",
    severity: "error",
    meaning: "The file does not begin with IDST.",
    mend: "Check that this is a Source model; `--from` names another format.",
  },
  "MDL-TRUNCATED": {
    kind: "range",
    severity: "error",
    meaning: "The file ends inside the 408-byte header.",
    mend: "Extract or download the file again.",
  },
  "MDL-VERSION": {
    kind: "range",
    severity: "error",
    meaning:
      "The version is not 44 to 49. Older models keep their vertices inside, newer ones have other layouts.",
    mend:
      "Use a model compiled for Half-Life 2 to Counter-Strike: Global Offensive.",
  },
  "MDL-COUNT": {
    kind: "range",
    severity: "error",
    meaning: "A count in the MDL is negative.",
    mend: "The file is damaged; extract it again.",
  },
  "MDL-RANGE": {
    kind: "range",
    severity: "error",
    meaning: "A table of the MDL would end behind the end of the file.",
    mend: "The file is cut off or damaged; extract it again.",
  },
  "MDL-WORK": {
    kind: "range",
    severity: "error",
    meaning:
      "Tables of the MDL point at the same bytes so often that reading them would not end in time.",
    mend: "The file is damaged or hostile; extract it again.",
  },
  "MDL-NAME": {
    kind: "range",
    severity: "warning",
    meaning: "The offset of a name is 0 or leaves the file; the name is empty.",
    mend: "Compile the model again if the name matters.",
  },
  "MDL-LENGTH": {
    kind: "range",
    severity: "warning",
    meaning: "The header states another size than the file has.",
    mend: "Extract the file again if it fails.",
  },
  "MDL-BONE-PARENT": {
    kind: "range",
    severity: "warning",
    meaning:
      "A bone's parent does not stand before it, or is below -1. The bone becomes a root.",
    mend: "Compile the model again.",
  },
  "MDL-BONE-RANGE": {
    kind: "range",
    severity: "error",
    meaning: "A vertex is weighted to a bone that the model has not.",
    mend:
      "Use the files of one compile; `--force` takes bone 0 in place of such bones.",
  },
  "MDL-VERTEX-INDEX": {
    kind: "range",
    severity: "warning",
    meaning:
      "A model's first vertex is not at a whole number of vertices into the pool.",
    mend: "Compile the model again.",
  },
  "MDL-VERTEX-RANGE": {
    kind: "range",
    severity: "error",
    meaning: "A mesh names vertices that the VVD does not hold.",
    mend: "Use the files of one compile.",
  },
  "MDL-FLEX-VERTEX": {
    kind: "range",
    severity: "warning",
    meaning:
      "A flex names a vertex that its mesh has not. The engine stretches such a face to the origin; here the entry is left out.",
    mend: "Compile the model again.",
  },
  "MDL-FLEX-DESC": {
    kind: "range",
    severity: "warning",
    meaning: "A flex names a shape that the model has not.",
    mend: "Compile the model again.",
  },
  "MDL-MATERIAL": {
    kind: "range",
    severity: "warning",
    meaning:
      "A mesh names a material outside the skin table or the textures. Its own number, then 0, is taken.",
    mend: "Compile the model again if a texture is wrong.",
  },
  "MDL-CHECKSUM": {
    kind: "range",
    severity: "error",
    meaning:
      "The files of a model carry different checksums: they come from different compiles, and the engine would not draw them.",
    mend:
      "Use the .mdl, .vvd and .vtx of one compile. `--force` reads them anyway.",
  },
  "MDL-COMPANION": {
    kind: "plain",
    severity: "error",
    meaning: "The .vvd or .vtx beside the .mdl is missing.",
    mend: "Put all files of the model into one folder; the message names them.",
  },
  "MDL-COMPANION-UNUSED": {
    kind: "plain",
    severity: "warning",
    meaning:
      "A companion beside the .mdl carries another checksum, and is not used.",
    mend: "Remove the stale file, or compile the model again.",
  },
  "MDL-NO-GEOMETRY": {
    kind: "plain",
    severity: "info",
    meaning:
      "The model has no geometry of its own: it holds animations for other models, or nothing.",
    mend: "Nothing to do.",
  },
  "VTX-EMPTY": {
    kind: "type",
    severity: "error",
    meaning: "The file has no bytes: a failed download or extraction.",
    mend: "Extract or download the file again.",
  },
  "VTX-ZERO": {
    kind: "type",
    severity: "error",
    meaning:
      "The file holds nothing but zero bytes: a failed extraction or a sparse copy.",
    mend: "Extract or download the file again.",
  },
  "VTX-LFS-POINTER": {
    kind: "type",
    severity: "error",
    meaning:
      "The file is a Git LFS pointer, a short text that stands for the real file.",
    mend: "Run `git lfs pull` in the repository that it came from.",
  },
  "VTX-BIG-ENDIAN": {
    kind: "type",
    severity: "error",
    meaning: "The file is a big-endian console file.",
    mend: "Console files are not supported; use the PC version of the model.",
  },
  "VTX-SHIFTED": {
    kind: "type",
    severity: "error",
    meaning: "The first byte is missing: an unpacker damaged the file.",
    mend: "Extract the file again with another tool.",
  },
  "VTX-VERSION": {
    kind: "range",
    severity: "error",
    meaning: "The version is not 7.",
    mend:
      "Use a model compiled for Half-Life 2 to Counter-Strike: Global Offensive.",
  },
  "VTX-TRUNCATED": {
    kind: "range",
    severity: "error",
    meaning: "The file ends inside the 36-byte header.",
    mend: "Extract or download the file again.",
  },
  "VTX-LOD-COUNT": {
    kind: "range",
    severity: "error",
    meaning: "The number of LODs is not between 1 and 8.",
    mend: "Compile the model again.",
  },
  "VTX-COUNT": {
    kind: "range",
    severity: "error",
    meaning: "A count in the VTX is negative.",
    mend: "The file is damaged; extract it again.",
  },
  "VTX-RANGE": {
    kind: "range",
    severity: "error",
    meaning: "A table of the VTX would end behind the end of what holds it.",
    mend: "The file is cut off or damaged; extract it again.",
  },
  "VTX-WORK": {
    kind: "range",
    severity: "error",
    meaning:
      "Tables of the VTX point at the same bytes so often that reading them would not end in time.",
    mend: "The file is damaged or hostile; extract it again.",
  },
  "VTX-INDEX-RANGE": {
    kind: "range",
    severity: "error",
    meaning: "An index names a vertex that its strip group has not.",
    mend:
      "The file is damaged, or is not the one compiled with the model; extract it again.",
  },
  "VTX-VERTEX-RANGE": {
    kind: "range",
    severity: "error",
    meaning:
      "A strip names a vertex that its mesh has not: usually the VTX is stale, from an older compile of the model.",
    mend:
      "Use the VTX of the same compile. `--force` leaves such triangles out.",
  },
  "VTX-INDEX-TAIL": {
    kind: "range",
    severity: "warning",
    meaning: "The indices of a strip make no whole triangles.",
    mend: "The rest is left out; compile the model again if faces are missing.",
  },
  "VTX-LOD-VERTEX": {
    kind: "range",
    severity: "warning",
    meaning:
      "A level of detail uses a vertex that the engine drops at that root LOD, by the counts of the mesh.",
    mend: "Compile the model again if it breaks at low detail.",
  },
  "VTX-SHAPE": {
    kind: "range",
    severity: "warning",
    meaning:
      "MDL and VTX count different body parts, models, meshes or LODs. What both have is read.",
    mend: "Use the files of one compile.",
  },
  "VTX-MATERIAL-LIST": {
    kind: "range",
    severity: "warning",
    meaning: "A list of material replacements lies outside the file.",
    mend: "Nothing to do unless a material looks wrong at low detail.",
  },
  "VVC-MAGIC": {
    kind: "type",
    severity: "error",
    meaning: "The file is not a colour file (IDCV) of version 1.",
    mend: "Use the .vvc file that belongs to the model.",
  },
  "VVC-COUNT": {
    kind: "range",
    severity: "error",
    meaning: "A count in the VVC is negative.",
    mend: "The file is damaged; extract it again.",
  },
  "VVC-RANGE": {
    kind: "range",
    severity: "error",
    meaning: "A table of the VVC would end behind the end of the file.",
    mend: "The file is cut off or damaged; extract it again.",
  },
  "PAYLOAD-TRUNCATED": {
    kind: "range",
    severity: "error",
    meaning:
      "The payload ends inside a block: a count asks for more bytes than there are.",
    mend: "Build or download the payload again.",
  },
  "PAYLOAD-MAGIC": {
    kind: "type",
    severity: "error",
    meaning: "A skinned payload begins with SKMV; this one does not.",
    mend: "Use the static reader, or check the file.",
  },
  "PAYLOAD-UTF8": {
    kind: "syntax",
    severity: "error",
    meaning: "A joint or morph target name is not valid UTF-8.",
    mend: "Rename it in the source and build again.",
  },
  "PAYLOAD-MORPH-TABLE": {
    kind: "range",
    severity: "error",
    meaning: "The table of sparse morph entries contradicts itself.",
    mend: "Build the payload again; the message names the rule that fails.",
  },
  "PAYLOAD-HEIGHTFIELD-SHORT": {
    kind: "range",
    severity: "error",
    meaning:
      "The heightfield block names a grid larger than the bytes behind it.",
    mend: "Build the payload again.",
  },
  "PAYLOAD-VERTEX-COUNT": {
    kind: "range",
    severity: "error",
    meaning:
      "A payload addresses at most 65,536 vertices, since its indices are 16 bits wide.",
    mend: "Pass `--split` to write several payloads, or reduce the mesh.",
  },
  "PAYLOAD-INDEX-WIDTH": {
    kind: "range",
    severity: "error",
    meaning: "An index does not fit 16 bits.",
    mend: "Split the mesh; an index is never wrapped.",
  },
  "PAYLOAD-LENGTH": {
    kind: "range",
    severity: "error",
    meaning: "Arrays that belong together have different lengths.",
    mend: "The message names the arrays and the lengths they need.",
  },
  "PAYLOAD-INDEX-RANGE": {
    kind: "range",
    severity: "error",
    meaning:
      "An index is not below the vertex count. The engine would read outside the vertices.",
    mend:
      "Build the payload again; conversion to another format drops such triangles and says so.",
  },
  "PAYLOAD-INDEX-TAIL": {
    kind: "range",
    severity: "warning",
    meaning:
      "The number of indices is not a multiple of three; the engine ignores the rest.",
    mend: "Build the payload again.",
  },
  "PAYLOAD-LOD-ORDER": {
    kind: "range",
    severity: "warning",
    meaning:
      "Switch distances are not finite, not positive or not ascending, so some level is never or always shown.",
    mend: "Give ascending positive distances.",
  },
  "PAYLOAD-LOD-EMPTY": {
    kind: "range",
    severity: "warning",
    meaning: "A level of detail has no triangle: the mesh vanishes there.",
    mend: "Remove the level.",
  },
  "PAYLOAD-LODS-EMPTY": {
    kind: "range",
    severity: "info",
    meaning:
      "The file carries a LODS block without levels. It is kept when the file is rewritten.",
    mend: "Nothing to do.",
  },
  "PAYLOAD-JOINT-PARENT": {
    kind: "range",
    severity: "warning",
    meaning:
      "A joint's parent does not stand before it, or is below -1. The engine treats the joint as a root.",
    mend: "Order joints parents first.",
  },
  "PAYLOAD-JOINT-NAME": {
    kind: "range",
    severity: "warning",
    meaning:
      "Two joints share a name, or a name is empty or holds a control character: lookups by name find the first one, or none.",
    mend: "Give every joint its own name.",
  },
  "PAYLOAD-JOINT-COUNT": {
    kind: "range",
    severity: "warning",
    meaning:
      "The engine uploads at most 64 joints of a mesh and cuts the rest silently.",
    mend: "Reduce the skeleton or split the mesh by joints.",
  },
  "PAYLOAD-JOINT-RANGE": {
    kind: "range",
    severity: "error",
    meaning: "A vertex is weighted to a joint that does not exist.",
    mend: "Build the payload again; the engine clamps to the last joint.",
  },
  "PAYLOAD-MORPH-DUPLICATE": {
    kind: "range",
    severity: "warning",
    meaning:
      "A vertex has two entries for one target: the engine adds both, an expansion keeps the last.",
    mend: "Build the payload again.",
  },
  "PAYLOAD-MORPH-ORDER": {
    kind: "range",
    severity: "info",
    meaning: "A vertex's entries are not in ascending order of target.",
    mend: "Nothing to do; the order does not matter to a reader.",
  },
  "PAYLOAD-MORPH-NAME": {
    kind: "range",
    severity: "warning",
    meaning:
      "Two morph targets share a name, or a name is empty or holds a control character.",
    mend: "Give every target its own name.",
  },
  "PAYLOAD-MORPH-EMPTY": {
    kind: "range",
    severity: "warning",
    meaning: "A morph target moves no vertex.",
    mend:
      "Remove it, or check whether its deltas were all at or below the epsilon.",
  },
  "PAYLOAD-MORPH-TINY": {
    kind: "range",
    severity: "info",
    meaning:
      "Entries lie at or below the epsilon, which a writer would have dropped.",
    mend: "Nothing to do.",
  },
  "PAYLOAD-HEIGHTFIELD-SIZE": {
    kind: "range",
    severity: "warning",
    meaning:
      "The heightfield has fewer than 2 rows or columns; the collider refuses it.",
    mend: "Bake a grid of at least 2 × 2.",
  },
  "PAYLOAD-LEGACY-MORPHS": {
    kind: "range",
    severity: "info",
    meaning:
      "The morph targets are stored in the older dense block MRPH; current engines skip it, and any LODS behind it.",
    mend: "Convert through glTF to write the sparse block.",
  },
  "PAYLOAD-HIDDEN-BLOCK": {
    kind: "range",
    severity: "warning",
    meaning:
      "A known block stands where no reader looks for it, so its content is lost to the engine.",
    mend: "Write MRPS before LODS, LODS before HFLD, each once.",
  },
  "PAYLOAD-TRAILING": {
    kind: "range",
    severity: "info",
    meaning:
      "Bytes behind the last block are ignored by every reader. They are kept when the file is rewritten.",
    mend: "Nothing to do.",
  },
  "GLTF-HEADER": {
    kind: "range",
    severity: "error",
    meaning: "The GLB header or a chunk header does not fit the file.",
    mend: "Export or download the file again.",
  },
  "GLTF-VERSION": {
    kind: "range",
    severity: "error",
    meaning: "Only glTF 2.0 is read.",
    mend: "Export as glTF 2.0.",
  },
  "GLTF-JSON": {
    kind: "syntax",
    severity: "error",
    meaning:
      "The JSON part is not valid JSON, not an object, or nested too deeply.",
    mend: "Export the file again.",
  },
  "GLTF-STRUCTURE": {
    kind: "range",
    severity: "error",
    meaning: "A reference, accessor or buffer view contradicts the file.",
    mend:
      "Run the file through the Khronos validator and mend the first error.",
  },
  "GLTF-INDEX-RANGE": {
    kind: "range",
    severity: "error",
    meaning: "A vertex index is not below the vertex count.",
    mend: "Export the file again.",
  },
  "GLTF-UNSUPPORTED": {
    kind: "type",
    severity: "error",
    meaning: "The file demands a feature that this version does not read.",
    mend: "The message names it; export without it.",
  },
  "GLTF-EXTERNAL": {
    kind: "type",
    severity: "error",
    meaning:
      "The file points to another file or address, which this reader was not given.",
    mend: "Export as GLB, or with embedded buffers.",
  },
  "GLTF-NO-MESH": {
    kind: "type",
    severity: "error",
    meaning: "The file holds no mesh.",
    mend: "Check the export's selection.",
  },
  "GLTF-NOTE": {
    kind: "range",
    severity: "info",
    meaning: "The reader left something out that the mesh model does not hold.",
    mend: "Nothing to do when it is not needed.",
  },
  "R-FILE": {
    kind: "range",
    severity: "error",
    meaning:
      "The file has no bytes, or more than the 512 MiB that the importer takes.",
    mend: "Export the mesh again; split one that is too large.",
  },
  "R-JSON": {
    kind: "syntax",
    severity: "error",
    meaning: "The file is not valid JSON in UTF-8.",
    mend: "Mend the place that the message names, or export again.",
  },
  "R-ROOT": {
    kind: "type",
    severity: "error",
    meaning: "The top level of the JSON is no object.",
    mend: "Put the mesh into one object.",
  },
  "R-SCHEMA": {
    kind: "range",
    severity: "error",
    meaning: "`schema` is not the number 1.",
    mend:
      'Write `"schema": 1`. The engine would also take the text "1"; the format does not.',
  },
  "R-PKG-TYPE": {
    kind: "type",
    severity: "error",
    meaning: "A package path is missing or no text.",
    mend: "Give `mesh_package` and `skeleton_package` as texts.",
  },
  "R-PKG-MESH-PREFIX": {
    kind: "range",
    severity: "error",
    meaning:
      "The mesh package lies outside the folder that the importer allows.",
    mend:
      "Put it below /Game/CSSAuthoring/, or name another folder with `--package-prefix`.",
  },
  "R-PKG-SKEL-PREFIX": {
    kind: "range",
    severity: "error",
    meaning: "The skeleton package lies outside /Game/.",
    mend: "Put it below /Game/.",
  },
  "R-PKG-NAME": {
    kind: "range",
    severity: "error",
    meaning:
      "A package path is none that the engine takes: too short, doubled or trailing slashes, spaces, points or other signs.",
    mend:
      "Use parts of letters, digits and underscores between single slashes.",
  },
  "R-PKG-DISTINCT": {
    kind: "range",
    severity: "error",
    meaning: "Mesh and skeleton have the same package; case does not count.",
    mend: "Give the skeleton a package of its own.",
  },
  "R-ARRAY-MISSING:bones": {
    kind: "type",
    severity: "error",
    meaning: "The array of bones is missing or no array.",
    mend: "Give the mesh an array `bones`.",
  },
  "R-ARRAY-MISSING:points": {
    kind: "type",
    severity: "error",
    meaning: "The array of points is missing or no array.",
    mend: "Give the mesh an array `points`.",
  },
  "R-ARRAY-MISSING:wedges": {
    kind: "type",
    severity: "error",
    meaning: "The array of wedges is missing or no array.",
    mend: "Give the mesh an array `wedges`.",
  },
  "R-ARRAY-MISSING:faces": {
    kind: "type",
    severity: "error",
    meaning: "The array of faces is missing or no array.",
    mend: "Give the mesh an array `faces`.",
  },
  "R-ARRAY-MISSING:influences": {
    kind: "type",
    severity: "error",
    meaning: "The array of influences is missing or no array.",
    mend: "Give the mesh an array `influences`.",
  },
  "R-ARRAY-MISSING:materials": {
    kind: "type",
    severity: "error",
    meaning: "The array of materials is missing or no array.",
    mend: "Give the mesh an array `materials`.",
  },
  "R-ARRAY-EMPTY:bones": {
    kind: "range",
    severity: "error",
    meaning: "The array of bones is empty.",
    mend: "Give the mesh at least one row of bones.",
  },
  "R-ARRAY-EMPTY:points": {
    kind: "range",
    severity: "error",
    meaning: "The array of points is empty.",
    mend: "Give the mesh at least one row of points.",
  },
  "R-ARRAY-EMPTY:wedges": {
    kind: "range",
    severity: "error",
    meaning: "The array of wedges is empty.",
    mend: "Give the mesh at least one row of wedges.",
  },
  "R-ARRAY-EMPTY:faces": {
    kind: "range",
    severity: "error",
    meaning: "The array of faces is empty.",
    mend: "Give the mesh at least one row of faces.",
  },
  "R-ARRAY-EMPTY:influences": {
    kind: "range",
    severity: "error",
    meaning: "The array of influences is empty.",
    mend: "Give the mesh at least one row of influences.",
  },
  "R-ARRAY-EMPTY:materials": {
    kind: "range",
    severity: "error",
    meaning: "The array of materials is empty.",
    mend: "Give the mesh at least one row of materials.",
  },
  "R-LIMIT:bones": {
    kind: "range",
    severity: "error",
    meaning: "There are more bones than the importer takes: 2,048.",
    mend: "Reduce the mesh or split it.",
  },
  "R-LIMIT:points": {
    kind: "range",
    severity: "error",
    meaning: "There are more points than the importer takes: 1,000,000.",
    mend: "Reduce the mesh or split it.",
  },
  "R-LIMIT:wedges": {
    kind: "range",
    severity: "error",
    meaning: "There are more wedges than the importer takes: 6,000,000.",
    mend: "Reduce the mesh or split it.",
  },
  "R-LIMIT:faces": {
    kind: "range",
    severity: "error",
    meaning: "There are more faces than the importer takes: 2,000,000.",
    mend: "Reduce the mesh or split it.",
  },
  "R-LIMIT:influences": {
    kind: "range",
    severity: "error",
    meaning:
      "There are more influences than the importer takes: eight times as many as points.",
    mend: "Reduce the mesh or split it.",
  },
  "R-LIMIT:materials": {
    kind: "range",
    severity: "error",
    meaning: "There are more materials than the importer takes: 64.",
    mend: "Reduce the mesh or split it.",
  },
  "R-UVCOUNT": {
    kind: "range",
    severity: "error",
    meaning: "`uv_channels` is no whole number of 1 to 4.",
    mend: "Write 1, 2, 3 or 4, or leave the key out for 1.",
  },
  "R-NORMALS-COUNT": {
    kind: "range",
    severity: "error",
    meaning:
      "There is not one normal for each wedge, or `normals` is no array.",
    mend: "Give every wedge a normal, or leave the key out.",
  },
  "R-COLORS-COUNT": {
    kind: "range",
    severity: "error",
    meaning: "There is not one colour for each wedge, or `colors` is no array.",
    mend: "Give every wedge a colour, or leave the key out.",
  },
  "R-BONE": {
    kind: "type",
    severity: "error",
    meaning: "A bone is no object.",
    mend:
      "Write bones as objects of name, parent, translation, rotation and scale.",
  },
  "R-BONE-NAME": {
    kind: "type",
    severity: "error",
    meaning: "A bone's name is empty or no text.",
    mend: "Name the bone.",
  },
  "R-BONE-DUP": {
    kind: "range",
    severity: "error",
    meaning: "Two bones share a name; case does not count.",
    mend: "Rename one of them.",
  },
  "R-BONE-PARENT": {
    kind: "range",
    severity: "error",
    meaning:
      "Bone 0 has a parent, or another bone's parent does not stand before it.",
    mend: "Order bones parents first, with one root whose parent is -1.",
  },
  "R-BONE-TRANSLATION": {
    kind: "range",
    severity: "error",
    meaning: "A bone's translation is not three finite numbers.",
    mend: "Give x, y, z in centimetres.",
  },
  "R-BONE-ROTATION": {
    kind: "range",
    severity: "error",
    meaning: "A bone's rotation is not four finite numbers.",
    mend: "Give the quaternion x, y, z, w.",
  },
  "R-BONE-QUAT-UNIT": {
    kind: "range",
    severity: "error",
    meaning:
      "The squares of a bone's quaternion sum to something more than 0.001 away from 1.",
    mend: "Normalise the quaternion.",
  },
  "R-BONE-SCALE": {
    kind: "range",
    severity: "error",
    meaning: "A bone's scale is not three numbers above 0.",
    mend: "Give positive scales.",
  },
  "R-MATERIAL-NAME": {
    kind: "type",
    severity: "error",
    meaning: "A material's name is empty or no text.",
    mend:
      "Name the material slot. The engine would turn a number into a text; the format does not.",
  },
  "R-MATERIAL-DUP": {
    kind: "range",
    severity: "error",
    meaning: "Two material slots share a name; case does not count.",
    mend: "Rename or merge them.",
  },
  "R-POINT": {
    kind: "range",
    severity: "error",
    meaning: "A point is not three finite numbers.",
    mend: "Give x, y, z in centimetres.",
  },
  "R-POINT-RANGE": {
    kind: "range",
    severity: "error",
    meaning: "A point lies more than 10000 cm from the origin along an axis.",
    mend: "Check the unit; the file is in centimetres.",
  },
  "R-WEDGE": {
    kind: "range",
    severity: "error",
    meaning:
      "A wedge is not a point number and two numbers for each texture channel.",
    mend: "Check `uv_channels` against the rows.",
  },
  "R-WEDGE-POINT": {
    kind: "range",
    severity: "error",
    meaning: "A wedge names a point that does not exist.",
    mend: "Export the mesh again.",
  },
  "R-NORMAL": {
    kind: "range",
    severity: "error",
    meaning: "A normal is not three finite numbers.",
    mend: "Give x, y, z.",
  },
  "R-NORMAL-UNIT": {
    kind: "range",
    severity: "error",
    meaning:
      "A normal is not of unit length: its squares sum to something more than 0.001 away from 1.",
    mend: "Normalise the normals; `validate --fix` does.",
  },
  "R-COLOR": {
    kind: "range",
    severity: "error",
    meaning: "A colour is not four numbers.",
    mend: "Give red, green, blue and alpha.",
  },
  "R-COLOR-BYTE": {
    kind: "range",
    severity: "error",
    meaning: "A part of a colour is no whole number of 0 to 255.",
    mend: "Multiply colours of 0 to 1 by 255 and round them.",
  },
  "R-FACE": {
    kind: "range",
    severity: "error",
    meaning: "A face is not three wedge numbers and a material number.",
    mend: "Export the mesh again.",
  },
  "R-FACE-WEDGE": {
    kind: "range",
    severity: "error",
    meaning: "A face names a wedge that does not exist.",
    mend: "Export the mesh again.",
  },
  "R-FACE-MATERIAL": {
    kind: "range",
    severity: "error",
    meaning: "A face names a material that does not exist.",
    mend: "Export the mesh again.",
  },
  "R-FACE-DEGENERATE": {
    kind: "range",
    severity: "error",
    meaning:
      "A face has no area in single precision: the squared cross product of its edges is below 1e-12.",
    mend: "Weld its points or remove it; `validate --fix` removes a few.",
  },
  "R-INFLUENCE": {
    kind: "range",
    severity: "error",
    meaning: "An influence is not a point number, a bone number and a weight.",
    mend: "Export the mesh again.",
  },
  "R-INFLUENCE-POINT": {
    kind: "range",
    severity: "error",
    meaning: "An influence names a point that does not exist.",
    mend: "Export the mesh again.",
  },
  "R-INFLUENCE-BONE": {
    kind: "range",
    severity: "error",
    meaning: "An influence names a bone that does not exist.",
    mend: "Export the mesh again.",
  },
  "R-INFLUENCE-WEIGHT": {
    kind: "range",
    severity: "error",
    meaning: "A weight is not above 0 and at most 1.",
    mend: "Leave out weights of 0 and normalise the rest.",
  },
  "R-INFLUENCE-DUP": {
    kind: "range",
    severity: "error",
    meaning: "A point names a bone twice.",
    mend: "Add the two weights.",
  },
  "R-INFLUENCE-SUM": {
    kind: "range",
    severity: "error",
    meaning:
      "The weights of a point sum to something more than 0.001 away from 1. Points that no face uses count too.",
    mend: "Normalise the weights; `validate --fix` does within 1 %.",
  },
  "R-INFLUENCE-COUNT": {
    kind: "range",
    severity: "error",
    meaning: "A point has more than eight influences.",
    mend: "Keep the eight largest and normalise them.",
  },
  "R-MORPH-COUNT": {
    kind: "range",
    severity: "error",
    meaning:
      "There are more than 64 morph targets, or `morph_targets` is no array.",
    mend: "Leave some out, or split the mesh.",
  },
  "R-MORPH-NAME": {
    kind: "range",
    severity: "error",
    meaning:
      "A morph target's name is not 1 to 64 letters, digits and underscores.",
    mend: "Rename the shape key; the game addresses it by this very name.",
  },
  "R-MORPH-DUP": {
    kind: "range",
    severity: "error",
    meaning: "Two morph targets share a name; case does not count.",
    mend: "Rename or merge them.",
  },
  "R-MORPH-DELTA": {
    kind: "range",
    severity: "error",
    meaning: "A delta is not a point number and three finite numbers.",
    mend: "Export the mesh again.",
  },
  "R-MORPH-POINT": {
    kind: "range",
    severity: "error",
    meaning: "A delta names a point that does not exist.",
    mend: "Export the mesh again.",
  },
  "R-MORPH-RANGE": {
    kind: "range",
    severity: "error",
    meaning:
      "A component of a delta is above 100 cm: a mistake of the scene's scale.",
    mend: "Check the unit; deltas are in centimetres.",
  },
  "R-MORPH-POINT-DUP": {
    kind: "range",
    severity: "error",
    meaning: "A morph target moves a point twice.",
    mend: "Add the two deltas.",
  },
  "CSS-BOM": {
    kind: "syntax",
    severity: "warning",
    meaning:
      "The file begins with a byte order mark, which JSON does not have.",
    mend: "Save it as UTF-8 without one.",
  },
  "CSS-KEY-REPEATED": {
    kind: "syntax",
    severity: "warning",
    meaning: "A key stands twice in one object; the last value counts.",
    mend: "Write it once.",
  },
  "CSS-KEY-UNKNOWN": {
    kind: "syntax",
    severity: "warning",
    meaning: "A key means nothing to the importer, which ignores it.",
    mend: "Check the spelling; rewriting the file leaves it out.",
  },
  "CSS-NAME-LENGTH": {
    kind: "range",
    severity: "warning",
    meaning: "A name is longer than the 1023 characters that the engine holds.",
    mend: "Shorten it.",
  },
  "CSS-UNUSED-POINT": {
    kind: "range",
    severity: "warning",
    meaning:
      "No face uses a point; it still counts for the bounds and needs weights.",
    mend: "Leave it out.",
  },
  "CSS-UNUSED-WEDGE": {
    kind: "range",
    severity: "warning",
    meaning: "No face uses a wedge.",
    mend: "Leave it out.",
  },
  "CSS-FACE-MERGED": {
    kind: "range",
    severity: "warning",
    meaning:
      "Two corners of a face lie within 0.00002 cm. The engine merges them and removes the face, and the importer then fails for the missing face.",
    mend: "Weld the points and remove the face.",
  },
  "CSS-FACE-REPEATED": {
    kind: "range",
    severity: "warning",
    meaning: "Two faces stand on the same points in the same turn.",
    mend: "Remove one of them.",
  },
  "CSS-MIRRORED-SEAM": {
    kind: "range",
    severity: "warning",
    meaning:
      "Faces with a plain and with a mirrored texture share a wedge. The engine splits it when it builds tangents.",
    mend: "Split the wedge, or move the seam of the texture.",
  },
  "CSS-WEIGHTS-CLOSE": {
    kind: "range",
    severity: "warning",
    meaning:
      "Two weights of a point differ by less than 1/65535. The engine makes them whole numbers and may order them either way.",
    mend: "Set them equal or a step apart.",
  },
  "CSS-MORPH-LENGTH": {
    kind: "range",
    severity: "warning",
    meaning:
      "A delta is longer than 100 cm although no component is. Whether the importer measures the length is not known.",
    mend: "Shorten it.",
  },
  "CSS-MORPH-DROPPED": {
    kind: "range",
    severity: "warning",
    meaning:
      "All deltas of a morph target are within 0.015 cm. The engine drops the target, and the importer then fails for the missing one.",
    mend: "Leave the target out, or move it more.",
  },
  "CSS-DEGENERATE-COUNT": {
    kind: "range",
    severity: "error",
    meaning:
      "More faces have no area than may be dropped: the larger of 10 and a hundredth of all.",
    mend:
      "Mend the source mesh; so many slivers are a mistake of scale or a collapsed part.",
  },
  "MESH-NON-FINITE": {
    kind: "range",
    severity: "error",
    meaning: "An attribute holds NaN or infinity.",
    mend:
      "Mend the source; conversion repairs and counts such values where the target can not hold them.",
  },
  "MESH-NORMAL-ZERO": {
    kind: "range",
    severity: "warning",
    meaning: "A normal has no direction.",
    mend: "Rebuild the normals.",
  },
  "MESH-NORMAL-LENGTH": {
    kind: "range",
    severity: "warning",
    meaning: "A normal is not of unit length.",
    mend: "Normalise the normals.",
  },
  "MESH-TANGENT-ZERO": {
    kind: "range",
    severity: "warning",
    meaning: "A tangent has no direction.",
    mend: "Rebuild the tangents.",
  },
  "MESH-TANGENT-LENGTH": {
    kind: "range",
    severity: "warning",
    meaning: "A tangent is not of unit length.",
    mend: "Rebuild the tangents.",
  },
  "MESH-TANGENT-SIGN": {
    kind: "range",
    severity: "warning",
    meaning: "A tangent's sign is neither 1 nor -1.",
    mend: "Rebuild the tangents.",
  },
  "MESH-WEIGHT-SUM": {
    kind: "range",
    severity: "warning",
    meaning:
      "The weights of a vertex do not sum to one. The payload's engine pulls such a vertex towards the origin.",
    mend: "Normalise the weights.",
  },
  "MESH-WEIGHT-NEGATIVE": {
    kind: "range",
    severity: "warning",
    meaning: "A weight is negative.",
    mend: "Mend the weights in the source.",
  },
  "MESH-INFLUENCE-DUPLICATE": {
    kind: "range",
    severity: "warning",
    meaning: "A vertex lists the same joint twice.",
    mend: "Merge the influences.",
  },
  "MESH-WINDING": {
    kind: "range",
    severity: "warning",
    meaning:
      "More than half of the triangles face against their normals: the mesh will look inside out.",
    mend: "Reverse the triangles, unless the engine is known not to cull.",
  },
  "MESH-DEGENERATE": {
    kind: "range",
    severity: "info",
    meaning: "Triangles without area, which are never drawn.",
    mend: "Remove them.",
  },
  "MESH-UNIT-SIZE": {
    kind: "range",
    severity: "warning",
    meaning:
      "The mesh is smaller than 1 cm or larger than 1 km: probably a wrong unit.",
    mend: "Check the unit; `--scale` mends it.",
  },
} as const satisfies Record<string, CodeInfo>;

/** A stable code. */
export type Code = keyof typeof CODES;
