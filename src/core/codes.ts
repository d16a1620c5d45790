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

/** What is said of every code: what it means, and how to mend it. */
export const CODE_TEXTS = {
  "FORMAT-UNKNOWN": {
    meaning:
      "The content of the file matches no known format, and its extension settles nothing.",
    mend:
      "Check that the file is what its name says. `--from ID` names the format by hand; `meshwright formats` lists the ids.",
  },
  "FORMAT-UNSUPPORTED": {
    meaning: "The format is known, but this version does not read or write it.",
    mend:
      "`meshwright formats` shows what this version reads and writes; choose another target, or convert the file with its own tools first.",
  },
  "LIMIT-EXCEEDED": {
    meaning: "A count or size passes a limit that guards memory and time.",
    mend:
      "Split the input, or raise the named limit through the library's `limits` option if the machine has the memory.",
  },
  "ARGUMENT": {
    meaning: "A function was called with a value outside what it accepts.",
    mend: "The message names the argument, the value and what is allowed.",
  },
  "KERNEL-START": {
    meaning:
      "The WebAssembly kernels could not be started. Some edge runtimes forbid compiling from bytes, and the kernels need SIMD.",
    mend:
      "Import `@meshwright/kit/kernels.wasm` statically and pass the module to `initSync()` or `init()` before the first call.",
  },
  "KERNEL-MEMORY": {
    meaning:
      "A kernel asked for more memory than the limit allows or the runtime gives. The kernels stay usable.",
    mend: "Raise `maxKernelBytes`, or give smaller pieces.",
  },
  "FILE-READ": {
    meaning: "The input file could not be opened or read.",
    mend: "Check the path and the permissions; Deno needs `--allow-read`.",
  },
  "FILE-WRITE": {
    meaning:
      "The output could not be written. The old file, if there was one, is whole.",
    mend:
      "Check free space, the folder and the permissions; Deno needs `--allow-write`.",
  },
  "BATCH-COLLISION": {
    meaning:
      "Two inputs of a batch would give the same output, or an output would replace an input.",
    mend: "Rename one of them, or convert them into different folders.",
  },
  "BATCH-STRICT": {
    meaning: "The conversion loses something, and `--strict` refuses losses.",
    mend:
      "Leave out `--strict`, or choose a target that holds everything; `convert --json --dry-run` lists the losses.",
  },
  "BATCH-WORKER": {
    meaning:
      "The worker that converted the file broke down, most likely for want of memory.",
    mend:
      "Try fewer `--jobs`, and the file alone with `convert`. If it breaks down there too, report it with the file.",
  },
  "HEIGHTFIELD-GRID": {
    meaning:
      "A heightfield was asked of a mesh whose vertices form no grid of rows along Z and columns along X, evenly apart.",
    mend:
      "Export the terrain as a plain grid, its rotation and scale applied and no vertex merged or moved sideways; or give the height image to `meshwright heightfield`.",
  },
  "HEIGHTFIELD-IMAGE": {
    meaning:
      "The image of heights is broken, or of a kind or size that no heights can be taken from.",
    mend:
      "Save it as PNG with 8 or 16 bits a channel, or as raw rows of u8, u16 or f32 (little-endian) whose width and height `--size` names.",
  },
  "VVD-EMPTY": {
    meaning: "The file has no bytes: a failed download or extraction.",
    mend: "Extract or download the file again.",
  },
  "VVD-ZERO": {
    meaning:
      "The file holds nothing but zero bytes: a failed extraction or a sparse copy.",
    mend: "Extract or download the file again.",
  },
  "VVD-LFS-POINTER": {
    meaning:
      "The file is a Git LFS pointer, a short text that stands for the real file.",
    mend: "Run `git lfs pull` in the repository that it came from.",
  },
  "VVD-BIG-ENDIAN": {
    meaning: "The file is a big-endian console file (magic VSDI).",
    mend: "Console files are not supported; use the PC version of the model.",
  },
  "VVD-MEMORY-IMAGE": {
    meaning:
      "The magic (IDCV or IDDV) belongs to an in-memory cache or a colour file, not to a VVD on disk.",
    mend:
      "Use the .vvd file from the game's archive. IDCV on disk is a .vvc colour file.",
  },
  "VVD-SHIFTED": {
    meaning:
      "The magic stands at the wrong place: an unpacker lost or added bytes in front.",
    mend: "Extract the file again with another tool.",
  },
  "VVD-MAGIC": {
    meaning: "The file does not begin with IDSV.",
    mend:
      "Check that this is a Source vertex file; `--from` names another format.",
  },
  "VVD-TRUNCATED": {
    meaning: "The file ends inside the 64-byte header.",
    mend: "Extract or download the file again.",
  },
  "VVD-VERSION": {
    meaning:
      "The version is not 4. Other versions keep their vertices in the MDL or in another layout.",
    mend:
      "Use a model compiled for Half-Life 2 to Counter-Strike: Global Offensive (MDL 44 to 49).",
  },
  "VVD-LOD-COUNT": {
    meaning: "numLODs is not between 1 and 8; the engine refuses such a file.",
    mend: "Compile the model again.",
  },
  "VVD-COUNT-NEGATIVE": {
    meaning: "A count or offset in the header is negative.",
    mend: "The header is damaged; extract the file again.",
  },
  "VVD-RANGE": {
    meaning: "A table or pool would end behind the end of the file.",
    mend: "The file is cut off or its header is damaged; extract it again.",
  },
  "VVD-FIXUP-RANGE": {
    meaning: "A fixup names vertices outside the pool.",
    mend: "The fixup table is damaged; compile the model again.",
  },
  "VVD-FIXUP-SUM": {
    meaning:
      "The fixups of a root LOD do not add up to numLODVertexes of that LOD. The engine trusts the sum and would overrun.",
    mend: "Compile the model again.",
  },
  "VVD-NO-VERTICES": {
    meaning:
      "vertexDataStart is 0 although the header counts vertices: the pool is absent.",
    mend: "Use the complete .vvd file.",
  },
  "VVD-FIXUP-LOD": {
    meaning:
      "A fixup's lod is negative or not below numLODs. The rule lod ≥ root LOD still decides.",
    mend: "Harmless for reading; compile again to be clean.",
  },
  "VVD-FIXUP-OVERLAP": {
    meaning: "Two fixups name the same vertex, so replay repeats it.",
    mend: "Compile the model again if a mesh looks doubled.",
  },
  "VVD-FIXUP-COVER": {
    meaning: "At root LOD 0 the fixups leave out some vertices of the pool.",
    mend: "Compile the model again if parts are missing.",
  },
  "VVD-LOD-ORDER": {
    meaning:
      "numLODVertexes grows from one LOD to the next; a lower detail needs no more vertices than a higher one.",
    mend: "Check the counts; the file was not written by the usual compiler.",
  },
  "VVD-OVERLAP": {
    meaning:
      "Two regions of the file (header, fixups, vertices, tangents) share bytes.",
    mend: "The offsets are damaged or hand-made; check the vertices.",
  },
  "VVD-EXTRA": {
    meaning:
      "Bytes behind the tangents look like an extra-data block but its index does not hold.",
    mend: "The bytes are kept as they are and are not replayed.",
  },
  "VVD-TRAILING": {
    meaning:
      "Bytes behind the last pool belong to nothing known. They are kept when the file is rewritten.",
    mend: "Nothing to do.",
  },
  "VVD-PLACEMENT": {
    meaning: "The pools stand elsewhere than the usual compiler puts them.",
    mend: "Nothing to do; the file is read by its offsets.",
  },
  "VVD-BONE-COUNT": {
    meaning:
      "A vertex has 0 or more than 3 bones. 0 is read as rigid to bone 0, more than 3 as 3.",
    mend: "Compile the model again if it deforms wrongly.",
  },
  "MDL-EMPTY": {
    meaning: "The file has no bytes: a failed download or extraction.",
    mend: "Extract or download the file again.",
  },
  "MDL-ZERO": {
    meaning:
      "The file holds nothing but zero bytes: a failed extraction or a sparse copy.",
    mend: "Extract or download the file again.",
  },
  "MDL-LFS-POINTER": {
    meaning:
      "The file is a Git LFS pointer, a short text that stands for the real file.",
    mend: "Run `git lfs pull` in the repository that it came from.",
  },
  "MDL-BIG-ENDIAN": {
    meaning: "The file is a big-endian console file (magic TSDI).",
    mend: "Console files are not supported; use the PC version of the model.",
  },
  "MDL-SHIFTED": {
    meaning:
      "The magic stands at the wrong place: an unpacker lost or added bytes in front.",
    mend: "Extract the file again with another tool.",
  },
  "MDL-MAGIC": {
    meaning: "The file does not begin with IDST.",
    mend: "Check that this is a Source model; `--from` names another format.",
  },
  "MDL-TRUNCATED": {
    meaning: "The file ends inside the 408-byte header.",
    mend: "Extract or download the file again.",
  },
  "MDL-VERSION": {
    meaning:
      "The version is not 44 to 49. Older models keep their vertices inside, newer ones have other layouts.",
    mend:
      "Use a model compiled for Half-Life 2 to Counter-Strike: Global Offensive.",
  },
  "MDL-COUNT": {
    meaning: "A count in the MDL is negative.",
    mend: "The file is damaged; extract it again.",
  },
  "MDL-RANGE": {
    meaning: "A table of the MDL would end behind the end of the file.",
    mend: "The file is cut off or damaged; extract it again.",
  },
  "MDL-WORK": {
    meaning:
      "Tables of the MDL point at the same bytes so often that reading them would not end in time.",
    mend: "The file is damaged or hostile; extract it again.",
  },
  "MDL-NAME": {
    meaning: "The offset of a name is 0 or leaves the file; the name is empty.",
    mend: "Compile the model again if the name matters.",
  },
  "MDL-LENGTH": {
    meaning: "The header states another size than the file has.",
    mend: "Extract the file again if it fails.",
  },
  "MDL-BONE-PARENT": {
    meaning:
      "A bone's parent does not stand before it, or is below -1. The bone becomes a root.",
    mend: "Compile the model again.",
  },
  "MDL-BONE-RANGE": {
    meaning: "A vertex is weighted to a bone that the model has not.",
    mend:
      "Use the files of one compile; `--force` takes bone 0 in place of such bones.",
  },
  "MDL-VERTEX-INDEX": {
    meaning:
      "A model's first vertex is not at a whole number of vertices into the pool.",
    mend: "Compile the model again.",
  },
  "MDL-VERTEX-RANGE": {
    meaning: "A mesh names vertices that the VVD does not hold.",
    mend: "Use the files of one compile.",
  },
  "MDL-FLEX-VERTEX": {
    meaning:
      "A flex names a vertex that its mesh has not. The engine stretches such a face to the origin; here the entry is left out.",
    mend: "Compile the model again.",
  },
  "MDL-FLEX-DESC": {
    meaning: "A flex names a shape that the model has not.",
    mend: "Compile the model again.",
  },
  "MDL-MATERIAL": {
    meaning:
      "A mesh names a material outside the skin table or the textures. Its own number, then 0, is taken.",
    mend: "Compile the model again if a texture is wrong.",
  },
  "MDL-CHECKSUM": {
    meaning:
      "The files of a model carry different checksums: they come from different compiles, and the engine would not draw them.",
    mend:
      "Use the .mdl, .vvd and .vtx of one compile. `--force` reads them anyway.",
  },
  "MDL-COMPANION": {
    meaning: "The .vvd or .vtx beside the .mdl is missing.",
    mend: "Put all files of the model into one folder; the message names them.",
  },
  "MDL-COMPANION-UNUSED": {
    meaning:
      "A companion beside the .mdl carries another checksum, and is not used.",
    mend: "Remove the stale file, or compile the model again.",
  },
  "MDL-NO-GEOMETRY": {
    meaning:
      "The model has no geometry of its own: it holds animations for other models, or nothing.",
    mend: "Nothing to do.",
  },
  "VTX-EMPTY": {
    meaning: "The file has no bytes: a failed download or extraction.",
    mend: "Extract or download the file again.",
  },
  "VTX-ZERO": {
    meaning:
      "The file holds nothing but zero bytes: a failed extraction or a sparse copy.",
    mend: "Extract or download the file again.",
  },
  "VTX-LFS-POINTER": {
    meaning:
      "The file is a Git LFS pointer, a short text that stands for the real file.",
    mend: "Run `git lfs pull` in the repository that it came from.",
  },
  "VTX-BIG-ENDIAN": {
    meaning: "The file is a big-endian console file.",
    mend: "Console files are not supported; use the PC version of the model.",
  },
  "VTX-SHIFTED": {
    meaning: "The first byte is missing: an unpacker damaged the file.",
    mend: "Extract the file again with another tool.",
  },
  "VTX-VERSION": {
    meaning: "The version is not 7.",
    mend:
      "Use a model compiled for Half-Life 2 to Counter-Strike: Global Offensive.",
  },
  "VTX-TRUNCATED": {
    meaning: "The file ends inside the 36-byte header.",
    mend: "Extract or download the file again.",
  },
  "VTX-LOD-COUNT": {
    meaning: "The number of LODs is not between 1 and 8.",
    mend: "Compile the model again.",
  },
  "VTX-COUNT": {
    meaning: "A count in the VTX is negative.",
    mend: "The file is damaged; extract it again.",
  },
  "VTX-RANGE": {
    meaning: "A table of the VTX would end behind the end of what holds it.",
    mend: "The file is cut off or damaged; extract it again.",
  },
  "VTX-WORK": {
    meaning:
      "Tables of the VTX point at the same bytes so often that reading them would not end in time.",
    mend: "The file is damaged or hostile; extract it again.",
  },
  "VTX-INDEX-RANGE": {
    meaning: "An index names a vertex that its strip group has not.",
    mend:
      "The file is damaged, or is not the one compiled with the model; extract it again.",
  },
  "VTX-VERTEX-RANGE": {
    meaning:
      "A strip names a vertex that its mesh has not: usually the VTX is stale, from an older compile of the model.",
    mend:
      "Use the VTX of the same compile. `--force` leaves such triangles out.",
  },
  "VTX-INDEX-TAIL": {
    meaning: "The indices of a strip make no whole triangles.",
    mend: "The rest is left out; compile the model again if faces are missing.",
  },
  "VTX-LOD-VERTEX": {
    meaning:
      "A level of detail uses a vertex that the engine drops at that root LOD, by the counts of the mesh.",
    mend: "Compile the model again if it breaks at low detail.",
  },
  "VTX-SHAPE": {
    meaning:
      "MDL and VTX count different body parts, models, meshes or LODs. What both have is read.",
    mend: "Use the files of one compile.",
  },
  "VTX-MATERIAL-LIST": {
    meaning: "A list of material replacements lies outside the file.",
    mend: "Nothing to do unless a material looks wrong at low detail.",
  },
  "VVC-MAGIC": {
    meaning: "The file is not a colour file (IDCV) of version 1.",
    mend: "Use the .vvc file that belongs to the model.",
  },
  "VVC-COUNT": {
    meaning: "A count in the VVC is negative.",
    mend: "The file is damaged; extract it again.",
  },
  "VVC-RANGE": {
    meaning: "A table of the VVC would end behind the end of the file.",
    mend: "The file is cut off or damaged; extract it again.",
  },
  "PAYLOAD-TRUNCATED": {
    meaning:
      "The payload ends inside a block: a count asks for more bytes than there are.",
    mend: "Build or download the payload again.",
  },
  "PAYLOAD-MAGIC": {
    meaning: "A skinned payload begins with SKMV; this one does not.",
    mend: "Use the static reader, or check the file.",
  },
  "PAYLOAD-UTF8": {
    meaning: "A joint or morph target name is not valid UTF-8.",
    mend: "Rename it in the source and build again.",
  },
  "PAYLOAD-MORPH-TABLE": {
    meaning: "The table of sparse morph entries contradicts itself.",
    mend: "Build the payload again; the message names the rule that fails.",
  },
  "PAYLOAD-HEIGHTFIELD-SHORT": {
    meaning:
      "The heightfield block names a grid larger than the bytes behind it.",
    mend:
      "Get the whole file; where rows and columns are wrong themselves, build the payload again.",
  },
  "PAYLOAD-VERTEX-COUNT": {
    meaning:
      "A payload addresses at most 65,536 vertices, since its indices are 16 bits wide.",
    mend: "Pass `--split` to write several payloads, or reduce the mesh.",
  },
  "PAYLOAD-INDEX-WIDTH": {
    meaning: "An index does not fit 16 bits.",
    mend: "Split the mesh; an index is never wrapped.",
  },
  "PAYLOAD-LENGTH": {
    meaning: "Arrays that belong together have different lengths.",
    mend: "The message names the arrays and the lengths they need.",
  },
  "PAYLOAD-INDEX-RANGE": {
    meaning:
      "An index is not below the vertex count. The engine would read outside the vertices.",
    mend:
      "Build the payload again; conversion to another format drops such triangles and says so.",
  },
  "PAYLOAD-INDEX-TAIL": {
    meaning:
      "The number of indices is not a multiple of three; the engine ignores the rest.",
    mend: "Build the payload again.",
  },
  "PAYLOAD-LOD-ORDER": {
    meaning:
      "Switch distances are not finite, not positive or not ascending, so some level is never or always shown.",
    mend: "Give ascending positive distances.",
  },
  "PAYLOAD-LOD-EMPTY": {
    meaning: "A level of detail has no triangle: the mesh vanishes there.",
    mend: "Remove the level.",
  },
  "PAYLOAD-LODS-EMPTY": {
    meaning:
      "The file carries a LODS block without levels. It is kept when the file is rewritten.",
    mend: "Nothing to do.",
  },
  "PAYLOAD-JOINT-PARENT": {
    meaning:
      "A joint's parent does not stand before it, or is below -1. The engine treats the joint as a root.",
    mend: "Order joints parents first.",
  },
  "PAYLOAD-JOINT-NAME": {
    meaning:
      "Two joints share a name, or a name is empty or holds a control character: lookups by name find the first one, or none.",
    mend: "Give every joint its own name.",
  },
  "PAYLOAD-JOINT-COUNT": {
    meaning:
      "The engine uploads at most 64 joints of a mesh and cuts the rest silently.",
    mend: "Reduce the skeleton or split the mesh by joints.",
  },
  "PAYLOAD-JOINT-RANGE": {
    meaning: "A vertex is weighted to a joint that does not exist.",
    mend: "Build the payload again; the engine clamps to the last joint.",
  },
  "PAYLOAD-MORPH-DUPLICATE": {
    meaning:
      "A vertex has two entries for one target: the engine adds both, an expansion keeps the last.",
    mend: "Build the payload again.",
  },
  "PAYLOAD-MORPH-ORDER": {
    meaning: "A vertex's entries are not in ascending order of target.",
    mend: "Nothing to do; the order does not matter to a reader.",
  },
  "PAYLOAD-MORPH-NAME": {
    meaning:
      "Two morph targets share a name, or a name is empty or holds a control character.",
    mend: "Give every target its own name.",
  },
  "PAYLOAD-MORPH-EMPTY": {
    meaning: "A morph target moves no vertex.",
    mend:
      "Remove it, or check whether its deltas were all at or below the epsilon.",
  },
  "PAYLOAD-MORPH-TINY": {
    meaning:
      "Entries lie at or below the epsilon, which a writer would have dropped.",
    mend: "Nothing to do.",
  },
  "PAYLOAD-HEIGHTFIELD-SIZE": {
    meaning:
      "The heightfield has fewer than 2 rows or columns; the collider refuses it.",
    mend: "Bake a grid of at least 2 × 2.",
  },
  "PAYLOAD-LEGACY-MORPHS": {
    meaning:
      "The morph targets are stored in the older dense block MRPH; current engines skip it, and any LODS behind it.",
    mend: "Convert through glTF to write the sparse block.",
  },
  "PAYLOAD-HIDDEN-BLOCK": {
    meaning:
      "A known block stands where no reader looks for it, so its content is lost to the engine.",
    mend: "Write MRPS before LODS, LODS before HFLD, each once.",
  },
  "PAYLOAD-TRAILING": {
    meaning:
      "Bytes behind the last block are ignored by every reader. They are kept when the file is rewritten.",
    mend: "Nothing to do.",
  },
  "GLTF-HEADER": {
    meaning: "The GLB header or a chunk header does not fit the file.",
    mend: "Export or download the file again.",
  },
  "GLTF-VERSION": {
    meaning: "Only glTF 2.0 is read.",
    mend: "Export as glTF 2.0.",
  },
  "GLTF-JSON": {
    meaning:
      "The JSON part is not valid JSON, not an object, or nested too deeply.",
    mend: "Export the file again.",
  },
  "GLTF-STRUCTURE": {
    meaning: "A reference, accessor or buffer view contradicts the file.",
    mend:
      "Run the file through the Khronos validator and mend the first error.",
  },
  "GLTF-INDEX-RANGE": {
    meaning: "A vertex index is not below the vertex count.",
    mend: "Export the file again.",
  },
  "GLTF-UNSUPPORTED": {
    meaning: "The file demands a feature that this version does not read.",
    mend: "The message names it; export without it.",
  },
  "GLTF-EXTERNAL": {
    meaning:
      "The file points to another file or address, which this reader was not given.",
    mend: "Export as GLB, or with embedded buffers.",
  },
  "GLTF-NO-MESH": {
    meaning: "The file holds no mesh.",
    mend: "Check the export's selection.",
  },
  "GLTF-BOM": {
    meaning:
      "The file begins with a byte order mark, which glTF forbids; strict readers refuse it.",
    mend: "Save it as UTF-8 without one; converting it to glTF does.",
  },
  "GLTF-NOTE": {
    meaning:
      "The glTF holds something that no other format here has a place for, such as animations, cameras or images. Conversions leave it out and count it as dropped.",
    mend:
      "Keep the glTF file where it matters; where it does not, there is nothing to do.",
  },
  "R-FILE": {
    meaning:
      "The file has no bytes, or more than the 512 MiB that the importer takes.",
    mend: "Export the mesh again; split one that is too large.",
  },
  "R-JSON": {
    meaning: "The file is not valid JSON in UTF-8.",
    mend: "Mend the place that the message names, or export again.",
  },
  "R-ROOT": {
    meaning: "The top level of the JSON is no object.",
    mend: "Put the mesh into one object.",
  },
  "R-SCHEMA": {
    meaning: "`schema` is not the number 1.",
    mend:
      'Write `"schema": 1`. The engine would also take the text "1"; the format does not.',
  },
  "R-PKG-TYPE": {
    meaning: "A package path is missing or no text.",
    mend: "Give `mesh_package` and `skeleton_package` as texts.",
  },
  "R-PKG-MESH-PREFIX": {
    meaning:
      "The mesh package lies outside the folder that the importer allows.",
    mend:
      "Put it below /Game/CSSAuthoring/, or name another folder with `--package-prefix`.",
  },
  "R-PKG-SKEL-PREFIX": {
    meaning: "The skeleton package lies outside /Game/.",
    mend: "Put it below /Game/.",
  },
  "R-PKG-NAME": {
    meaning:
      "A package path is none that the engine takes: too short, doubled or trailing slashes, spaces, points or other signs.",
    mend:
      "Use parts of letters, digits and underscores between single slashes.",
  },
  "R-PKG-DISTINCT": {
    meaning: "Mesh and skeleton have the same package; case does not count.",
    mend: "Give the skeleton a package of its own.",
  },
  "R-ARRAY-MISSING:bones": {
    meaning: "The array of bones is missing or no array.",
    mend: "Give the mesh an array `bones`.",
  },
  "R-ARRAY-MISSING:points": {
    meaning: "The array of points is missing or no array.",
    mend: "Give the mesh an array `points`.",
  },
  "R-ARRAY-MISSING:wedges": {
    meaning: "The array of wedges is missing or no array.",
    mend: "Give the mesh an array `wedges`.",
  },
  "R-ARRAY-MISSING:faces": {
    meaning: "The array of faces is missing or no array.",
    mend: "Give the mesh an array `faces`.",
  },
  "R-ARRAY-MISSING:influences": {
    meaning: "The array of influences is missing or no array.",
    mend: "Give the mesh an array `influences`.",
  },
  "R-ARRAY-MISSING:materials": {
    meaning: "The array of materials is missing or no array.",
    mend: "Give the mesh an array `materials`.",
  },
  "R-ARRAY-EMPTY:bones": {
    meaning: "The array of bones is empty.",
    mend: "Give the mesh at least one row of bones.",
  },
  "R-ARRAY-EMPTY:points": {
    meaning: "The array of points is empty.",
    mend: "Give the mesh at least one row of points.",
  },
  "R-ARRAY-EMPTY:wedges": {
    meaning: "The array of wedges is empty.",
    mend: "Give the mesh at least one row of wedges.",
  },
  "R-ARRAY-EMPTY:faces": {
    meaning: "The array of faces is empty.",
    mend: "Give the mesh at least one row of faces.",
  },
  "R-ARRAY-EMPTY:influences": {
    meaning: "The array of influences is empty.",
    mend: "Give the mesh at least one row of influences.",
  },
  "R-ARRAY-EMPTY:materials": {
    meaning: "The array of materials is empty.",
    mend: "Give the mesh at least one row of materials.",
  },
  "R-LIMIT:bones": {
    meaning: "There are more bones than the importer takes: 2,048.",
    mend: "Reduce the mesh or split it.",
  },
  "R-LIMIT:points": {
    meaning: "There are more points than the importer takes: 1,000,000.",
    mend: "Reduce the mesh or split it.",
  },
  "R-LIMIT:wedges": {
    meaning: "There are more wedges than the importer takes: 6,000,000.",
    mend: "Reduce the mesh or split it.",
  },
  "R-LIMIT:faces": {
    meaning: "There are more faces than the importer takes: 2,000,000.",
    mend: "Reduce the mesh or split it.",
  },
  "R-LIMIT:influences": {
    meaning:
      "There are more influences than the importer takes: eight times as many as points.",
    mend: "Reduce the mesh or split it.",
  },
  "R-LIMIT:materials": {
    meaning: "There are more materials than the importer takes: 64.",
    mend: "Reduce the mesh or split it.",
  },
  "R-UVCOUNT": {
    meaning: "`uv_channels` is no whole number of 1 to 4.",
    mend: "Write 1, 2, 3 or 4, or leave the key out for 1.",
  },
  "R-NORMALS-COUNT": {
    meaning:
      "There is not one normal for each wedge, or `normals` is no array.",
    mend: "Give every wedge a normal, or leave the key out.",
  },
  "R-COLORS-COUNT": {
    meaning: "There is not one colour for each wedge, or `colors` is no array.",
    mend: "Give every wedge a colour, or leave the key out.",
  },
  "R-BONE": {
    meaning: "A bone is no object.",
    mend:
      "Write bones as objects of name, parent, translation, rotation and scale.",
  },
  "R-BONE-NAME": {
    meaning: "A bone's name is empty or no text.",
    mend: "Name the bone.",
  },
  "R-BONE-DUP": {
    meaning: "Two bones share a name; case does not count.",
    mend: "Rename one of them.",
  },
  "R-BONE-PARENT": {
    meaning:
      "Bone 0 has a parent, or another bone's parent does not stand before it.",
    mend: "Order bones parents first, with one root whose parent is -1.",
  },
  "R-BONE-TRANSLATION": {
    meaning: "A bone's translation is not three finite numbers.",
    mend: "Give x, y, z in centimetres.",
  },
  "R-BONE-ROTATION": {
    meaning: "A bone's rotation is not four finite numbers.",
    mend: "Give the quaternion x, y, z, w.",
  },
  "R-BONE-QUAT-UNIT": {
    meaning:
      "The squares of a bone's quaternion sum to something more than 0.001 away from 1.",
    mend: "Normalise the quaternion.",
  },
  "R-BONE-SCALE": {
    meaning: "A bone's scale is not three numbers above 0.",
    mend: "Give positive scales.",
  },
  "R-MATERIAL-NAME": {
    meaning: "A material's name is empty or no text.",
    mend:
      "Name the material slot. The engine would turn a number into a text; the format does not.",
  },
  "R-MATERIAL-DUP": {
    meaning: "Two material slots share a name; case does not count.",
    mend: "Rename or merge them.",
  },
  "R-POINT": {
    meaning: "A point is not three finite numbers.",
    mend: "Give x, y, z in centimetres.",
  },
  "R-POINT-RANGE": {
    meaning: "A point lies more than 10000 cm from the origin along an axis.",
    mend: "Check the unit; the file is in centimetres.",
  },
  "R-WEDGE": {
    meaning:
      "A wedge is not a point number and two numbers for each texture channel.",
    mend: "Check `uv_channels` against the rows.",
  },
  "R-WEDGE-POINT": {
    meaning: "A wedge names a point that does not exist.",
    mend: "Export the mesh again.",
  },
  "R-NORMAL": {
    meaning: "A normal is not three finite numbers.",
    mend: "Give x, y, z.",
  },
  "R-NORMAL-UNIT": {
    meaning:
      "A normal is not of unit length: its squares sum to something more than 0.001 away from 1.",
    mend: "Normalise the normals; `validate --fix` does.",
  },
  "R-COLOR": {
    meaning: "A colour is not four numbers.",
    mend: "Give red, green, blue and alpha.",
  },
  "R-COLOR-BYTE": {
    meaning: "A part of a colour is no whole number of 0 to 255.",
    mend: "Multiply colours of 0 to 1 by 255 and round them.",
  },
  "R-FACE": {
    meaning: "A face is not three wedge numbers and a material number.",
    mend: "Export the mesh again.",
  },
  "R-FACE-WEDGE": {
    meaning: "A face names a wedge that does not exist.",
    mend: "Export the mesh again.",
  },
  "R-FACE-MATERIAL": {
    meaning: "A face names a material that does not exist.",
    mend: "Export the mesh again.",
  },
  "R-FACE-DEGENERATE": {
    meaning:
      "A face has no area in single precision: the squared cross product of its edges is below 1e-12.",
    mend: "Weld its points or remove it; `validate --fix` removes a few.",
  },
  "R-INFLUENCE": {
    meaning: "An influence is not a point number, a bone number and a weight.",
    mend: "Export the mesh again.",
  },
  "R-INFLUENCE-POINT": {
    meaning: "An influence names a point that does not exist.",
    mend: "Export the mesh again.",
  },
  "R-INFLUENCE-BONE": {
    meaning: "An influence names a bone that does not exist.",
    mend: "Export the mesh again.",
  },
  "R-INFLUENCE-WEIGHT": {
    meaning: "A weight is not above 0 and at most 1.",
    mend: "Leave out weights of 0 and normalise the rest.",
  },
  "R-INFLUENCE-DUP": {
    meaning: "A point names a bone twice.",
    mend: "Add the two weights.",
  },
  "R-INFLUENCE-SUM": {
    meaning:
      "The weights of a point sum to something more than 0.001 away from 1. Points that no face uses count too.",
    mend: "Normalise the weights; `validate --fix` does within 1 %.",
  },
  "R-INFLUENCE-COUNT": {
    meaning: "A point has more than eight influences.",
    mend: "Keep the eight largest and normalise them.",
  },
  "R-MORPH-COUNT": {
    meaning:
      "There are more than 64 morph targets, or `morph_targets` is no array.",
    mend: "Leave some out, or split the mesh.",
  },
  "R-MORPH-NAME": {
    meaning:
      "A morph target's name is not 1 to 64 letters, digits and underscores.",
    mend: "Rename the shape key; the game addresses it by this very name.",
  },
  "R-MORPH-DUP": {
    meaning: "Two morph targets share a name; case does not count.",
    mend: "Rename or merge them.",
  },
  "R-MORPH-DELTA": {
    meaning: "A delta is not a point number and three finite numbers.",
    mend: "Export the mesh again.",
  },
  "R-MORPH-POINT": {
    meaning: "A delta names a point that does not exist.",
    mend: "Export the mesh again.",
  },
  "R-MORPH-RANGE": {
    meaning:
      "A component of a delta is above 100 cm: a mistake of the scene's scale.",
    mend: "Check the unit; deltas are in centimetres.",
  },
  "R-MORPH-POINT-DUP": {
    meaning: "A morph target moves a point twice.",
    mend: "Add the two deltas.",
  },
  "CSS-BOM": {
    meaning:
      "The file begins with a byte order mark, which JSON does not have.",
    mend: "Save it as UTF-8 without one.",
  },
  "CSS-KEY-REPEATED": {
    meaning: "A key stands twice in one object; the last value counts.",
    mend: "Write it once.",
  },
  "CSS-KEY-UNKNOWN": {
    meaning: "A key means nothing to the importer, which ignores it.",
    mend: "Check the spelling; rewriting the file leaves it out.",
  },
  "CSS-NAME-LENGTH": {
    meaning: "A name is longer than the 1023 characters that the engine holds.",
    mend: "Shorten it.",
  },
  "CSS-UNUSED-POINT": {
    meaning:
      "No face uses a point; it still counts for the bounds and needs weights.",
    mend: "Leave it out.",
  },
  "CSS-UNUSED-WEDGE": {
    meaning: "No face uses a wedge.",
    mend: "Leave it out.",
  },
  "CSS-FACE-MERGED": {
    meaning:
      "Two corners of a face lie within 0.00002 cm. The engine merges them and removes the face, and the importer then fails for the missing face.",
    mend: "Weld the points and remove the face.",
  },
  "CSS-FACE-REPEATED": {
    meaning: "Two faces stand on the same points in the same turn.",
    mend: "Remove one of them.",
  },
  "CSS-MIRRORED-SEAM": {
    meaning:
      "Faces with a plain and with a mirrored texture share a wedge. The engine splits it when it builds tangents.",
    mend: "Split the wedge, or move the seam of the texture.",
  },
  "CSS-WEIGHTS-CLOSE": {
    meaning:
      "Two weights of a point differ by less than 1/65535. The engine makes them whole numbers and may order them either way.",
    mend: "Set them equal or a step apart.",
  },
  "CSS-MORPH-LENGTH": {
    meaning:
      "A delta is longer than 100 cm although no component is. Whether the importer measures the length is not known.",
    mend: "Shorten it.",
  },
  "CSS-MORPH-DROPPED": {
    meaning:
      "All deltas of a morph target are within 0.015 cm. The engine drops the target, and the importer then fails for the missing one.",
    mend: "Leave the target out, or move it more.",
  },
  "CSS-NO-FACES": {
    meaning:
      "The mesh holds vertices and no faces, and a CSS authored mesh consists of faces.",
    mend:
      "Give a file with triangles. A VVD holds vertices alone; convert the model's .mdl, which brings the faces of its VTX.",
  },
  "CSS-DEGENERATE-COUNT": {
    meaning:
      "More faces have no area than may be dropped: the larger of 10 and a hundredth of all.",
    mend:
      "Mend the source mesh; so many slivers are a mistake of scale or a collapsed part.",
  },
  "MESH-NON-FINITE": {
    meaning: "An attribute holds NaN or infinity.",
    mend:
      "Mend the source; conversion repairs and counts such values where the target can not hold them.",
  },
  "MESH-NORMAL-ZERO": {
    meaning: "A normal has no direction.",
    mend: "Rebuild the normals.",
  },
  "MESH-NORMAL-LENGTH": {
    meaning: "A normal is not of unit length.",
    mend: "Normalise the normals.",
  },
  "MESH-TANGENT-ZERO": {
    meaning: "A tangent has no direction.",
    mend: "Rebuild the tangents.",
  },
  "MESH-TANGENT-LENGTH": {
    meaning: "A tangent is not of unit length.",
    mend: "Rebuild the tangents.",
  },
  "MESH-TANGENT-SIGN": {
    meaning: "A tangent's sign is neither 1 nor -1.",
    mend: "Rebuild the tangents.",
  },
  "MESH-WEIGHT-SUM": {
    meaning:
      "The weights of a vertex do not sum to one. The payload's engine pulls such a vertex towards the origin.",
    mend: "Normalise the weights.",
  },
  "MESH-WEIGHT-NEGATIVE": {
    meaning: "A weight is negative.",
    mend: "Mend the weights in the source.",
  },
  "MESH-INFLUENCE-DUPLICATE": {
    meaning: "A vertex lists the same joint twice.",
    mend: "Merge the influences.",
  },
  "MESH-WINDING": {
    meaning:
      "Triangles face against their normals. Where most do (a warning), the triangles are reversed and the mesh will look inside out, or the normals are wrong; where more than 1 in 100 do (a note), normals are off.",
    mend:
      "Reverse the triangles, unless the engine is known not to cull, or rebuild the normals.",
  },
  "MESH-DEGENERATE": {
    meaning: "Triangles without area, which are never drawn.",
    mend: "Remove them.",
  },
  "MESH-UNIT-SIZE": {
    meaning:
      "The mesh is smaller than 1 cm or larger than 1 km: probably a wrong unit.",
    mend: "Check the unit; `--scale` mends it.",
  },
} as const satisfies Record<string, Pick<CodeInfo, "meaning" | "mend">>;

/** A stable code. */
export type Code = keyof typeof CODE_TEXTS;

// Apart from the texts, which a bundle leaves out where nobody asks for them.

/** Codes whose errors do not extend RangeError. */
const KINDS: Readonly<
  Record<Exclude<CodeInfo["kind"], "range">, readonly Code[]>
> = {
  syntax: [
    "PAYLOAD-UTF8",
    "GLTF-JSON",
    "R-JSON",
    "GLTF-BOM",
    "CSS-BOM",
    "CSS-KEY-REPEATED",
    "CSS-KEY-UNKNOWN",
  ],
  type: [
    "FORMAT-UNKNOWN",
    "FORMAT-UNSUPPORTED",
    "ARGUMENT",
    "HEIGHTFIELD-GRID",
    "HEIGHTFIELD-IMAGE",
    "VVD-EMPTY",
    "VVD-ZERO",
    "VVD-LFS-POINTER",
    "VVD-BIG-ENDIAN",
    "VVD-MEMORY-IMAGE",
    "VVD-SHIFTED",
    "VVD-MAGIC",
    "MDL-EMPTY",
    "MDL-ZERO",
    "MDL-LFS-POINTER",
    "MDL-BIG-ENDIAN",
    "MDL-SHIFTED",
    "MDL-MAGIC",
    "VTX-EMPTY",
    "VTX-ZERO",
    "VTX-LFS-POINTER",
    "VTX-BIG-ENDIAN",
    "VTX-SHIFTED",
    "VVC-MAGIC",
    "PAYLOAD-MAGIC",
    "GLTF-UNSUPPORTED",
    "GLTF-EXTERNAL",
    "GLTF-NO-MESH",
    "R-ROOT",
    "R-PKG-TYPE",
    "R-ARRAY-MISSING:bones",
    "R-ARRAY-MISSING:points",
    "R-ARRAY-MISSING:wedges",
    "R-ARRAY-MISSING:faces",
    "R-ARRAY-MISSING:influences",
    "R-ARRAY-MISSING:materials",
    "R-BONE",
    "R-BONE-NAME",
    "R-MATERIAL-NAME",
  ],
  plain: [
    "KERNEL-START",
    "FILE-READ",
    "FILE-WRITE",
    "BATCH-COLLISION",
    "BATCH-STRICT",
    "BATCH-WORKER",
    "MDL-COMPANION",
    "MDL-COMPANION-UNUSED",
    "MDL-NO-GEOMETRY",
  ],
};

/** Codes whose findings are no errors. */
const SEVERITIES: Readonly<
  Record<Exclude<Severity, "error">, readonly Code[]>
> = {
  warning: [
    "VVD-FIXUP-LOD",
    "VVD-FIXUP-OVERLAP",
    "VVD-FIXUP-COVER",
    "VVD-LOD-ORDER",
    "VVD-OVERLAP",
    "VVD-EXTRA",
    "VVD-BONE-COUNT",
    "MDL-NAME",
    "MDL-LENGTH",
    "MDL-BONE-PARENT",
    "MDL-VERTEX-INDEX",
    "MDL-FLEX-VERTEX",
    "MDL-FLEX-DESC",
    "MDL-MATERIAL",
    "MDL-COMPANION-UNUSED",
    "VTX-INDEX-TAIL",
    "VTX-LOD-VERTEX",
    "VTX-SHAPE",
    "VTX-MATERIAL-LIST",
    "PAYLOAD-INDEX-TAIL",
    "PAYLOAD-LOD-ORDER",
    "PAYLOAD-LOD-EMPTY",
    "PAYLOAD-JOINT-PARENT",
    "PAYLOAD-JOINT-NAME",
    "PAYLOAD-JOINT-COUNT",
    "PAYLOAD-MORPH-DUPLICATE",
    "PAYLOAD-MORPH-NAME",
    "PAYLOAD-MORPH-EMPTY",
    "PAYLOAD-HEIGHTFIELD-SIZE",
    "PAYLOAD-HIDDEN-BLOCK",
    "GLTF-BOM",
    "CSS-BOM",
    "CSS-KEY-REPEATED",
    "CSS-KEY-UNKNOWN",
    "CSS-NAME-LENGTH",
    "CSS-UNUSED-POINT",
    "CSS-UNUSED-WEDGE",
    "CSS-FACE-MERGED",
    "CSS-FACE-REPEATED",
    "CSS-MIRRORED-SEAM",
    "CSS-WEIGHTS-CLOSE",
    "CSS-MORPH-LENGTH",
    "CSS-MORPH-DROPPED",
    "MESH-NORMAL-ZERO",
    "MESH-NORMAL-LENGTH",
    "MESH-TANGENT-ZERO",
    "MESH-TANGENT-LENGTH",
    "MESH-TANGENT-SIGN",
    "MESH-WEIGHT-SUM",
    "MESH-WEIGHT-NEGATIVE",
    "MESH-INFLUENCE-DUPLICATE",
    "MESH-WINDING",
    "MESH-UNIT-SIZE",
  ],
  info: [
    "VVD-TRAILING",
    "VVD-PLACEMENT",
    "MDL-NO-GEOMETRY",
    "PAYLOAD-LODS-EMPTY",
    "PAYLOAD-MORPH-ORDER",
    "PAYLOAD-MORPH-TINY",
    "PAYLOAD-LEGACY-MORPHS",
    "PAYLOAD-TRAILING",
    "GLTF-NOTE",
    "MESH-DEGENERATE",
  ],
};

/** Where a code stands in lists. */
function listed<K extends string>(
  lists: Readonly<Record<K, readonly Code[]>>,
  code: Code,
): K | undefined {
  return (Object.keys(lists) as K[]).find((key) => lists[key].includes(code));
}

/** Which built-in the error of a code extends. */
export function kindOf(code: Code): CodeInfo["kind"] {
  return listed(KINDS, code) ?? "range";
}

/** How bad the finding of a code is. */
export function severityOf(code: Code): Severity {
  return listed(SEVERITIES, code) ?? "error";
}

function table(): Record<Code, CodeInfo> {
  const rows = (Object.keys(CODE_TEXTS) as Code[]).map((code) => [
    code,
    { kind: kindOf(code), severity: severityOf(code), ...CODE_TEXTS[code] },
  ]);
  return Object.fromEntries(rows);
}

/** Every code with its meaning and its cure. */
export const CODES: Readonly<Record<Code, CodeInfo>> = /* @__PURE__ */ table();
