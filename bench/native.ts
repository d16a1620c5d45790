/**
 * The same work in C, where a compiler is there: what the machine gives without a sandbox.
 *
 * @module
 */

const SOURCE = `
#include <math.h>
#include <stdint.h>
#include <string.h>
void replay(const char *from, const uint32_t *runs, uint32_t n, char *to) {
  for (uint32_t i = 0; i < n; i += 2) {
    size_t bytes = (size_t)runs[i + 1] * 48;
    memcpy(to, from + (size_t)runs[i] * 48, bytes);
    to += bytes;
  }
}
void split(const char *from, const uint32_t *runs, uint32_t n, char *p, char *q, char *uv, char *w, char *b) {
  for (uint32_t i = 0; i < n; i += 2) {
    const char *v = from + (size_t)runs[i] * 48, *end = v + (size_t)runs[i + 1] * 48;
    for (; v < end; v += 48, w += 12, b += 4, p += 12, q += 12, uv += 8) {
      memcpy(w, v, 12); memcpy(b, v + 12, 4); memcpy(p, v + 16, 12); memcpy(q, v + 28, 12); memcpy(uv, v + 40, 8);
    }
  }
}
uint32_t scan(const float *d, uint32_t n, float e, uint32_t *index) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < n; i++, d += 6) {
    index[found] = i;
    found += (fabsf(d[0]) > e) | (fabsf(d[1]) > e) | (fabsf(d[2]) > e) | (fabsf(d[3]) > e) | (fabsf(d[4]) > e) | (fabsf(d[5]) > e);
  }
  return found;
}
void normals(const float *in, float *out, uint32_t n, const float *m) {
  for (uint32_t i = 0; i < n; i++, in += 3, out += 3) {
    float x = m[0] * in[0] + m[1] * in[1] + m[2] * in[2];
    float y = m[3] * in[0] + m[4] * in[1] + m[5] * in[2];
    float z = m[6] * in[0] + m[7] * in[1] + m[8] * in[2];
    float l = sqrtf(x * x + y * y + z * z);
    out[0] = x / l; out[1] = y / l; out[2] = z / l;
  }
}
`;

const SYMBOLS = {
  replay: {
    parameters: ["buffer", "buffer", "u32", "buffer"],
    result: "void",
  },
  split: {
    parameters: [
      ...["buffer", "buffer", "u32"] as const,
      ...["buffer", "buffer", "buffer", "buffer", "buffer"] as const,
    ],
    result: "void",
  },
  scan: { parameters: ["buffer", "u32", "f32", "buffer"], result: "u32" },
  normals: {
    parameters: ["buffer", "buffer", "u32", "buffer"],
    result: "void",
  },
} as const satisfies Deno.ForeignLibraryInterface;

/** The compiled functions. */
export type Native = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

/** Compiles and loads them; null, and a line that says why, where that does not work. */
export function loadNative(): Native | null {
  try {
    const folder = Deno.makeTempDirSync();
    Deno.writeTextFileSync(`${folder}/native.c`, SOURCE);
    const { success } = new Deno.Command("cc", {
      args: ["-O3", "-shared", "-fPIC", "-o", "native.so", "native.c", "-lm"],
      cwd: folder,
    }).outputSync();
    if (!success) throw new Error("cc refused the source");
    const library = Deno.dlopen(`${folder}/native.so`, SYMBOLS);
    Deno.removeSync(folder, { recursive: true });
    return library.symbols;
  } catch (error) {
    console.error(`native loops left out: ${error}`);
    return null;
  }
}
