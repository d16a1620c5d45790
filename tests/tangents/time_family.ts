/**
 * Times one family at growing sizes and prints [triangles, milliseconds] pairs as JSON. The slow tests start it with glibc
 * told to keep freed memory: results of a million triangles are new pages on every call otherwise, and those of a thousand
 * are not, so that the slope would be that of page faults.
 *
 * @module
 */
import { ADVERSARIAL, triangleCount } from "../../bench/tangent_meshes.ts";
import { generateTangents } from "../../src/kernels/tangents.ts";

const points = [1000, 8000, 64_000, 1_000_000].map((n) => {
  const { position, normal, uv, indices } = ADVERSARIAL[Deno.args[0]](n);
  let best = Infinity;
  for (let k = 0; k < (n < 100_000 ? 12 : 4); k++) {
    const start = performance.now();
    generateTangents(position, normal, uv, indices);
    if (k > 0) best = Math.min(best, performance.now() - start);
  }
  return [triangleCount({ position, normal, uv, indices }), best];
});
console.log(JSON.stringify(points));
