/**
 * Writes docs/MATRIX.md: what each conversion keeps and loses, found by converting. With `--check` it writes nothing and
 * ends with exit code 1 when the file is not what the code gives.
 */
import { conversionMatrix, matrixText } from "./conversion_matrix.ts";

const place = new URL("../docs/MATRIX.md", import.meta.url);
const text = matrixText(await conversionMatrix());
if (Deno.args.includes("--check")) {
  if (await Deno.readTextFile(place) !== text) {
    console.error("docs/MATRIX.md is stale: run scripts/build_matrix.ts");
    Deno.exit(1);
  }
  console.log("docs/MATRIX.md is what the code gives");
} else {
  await Deno.mkdir(new URL(".", place), { recursive: true });
  await Deno.writeTextFile(place, text);
  console.log(`docs/MATRIX.md: ${text.length} characters`);
}
