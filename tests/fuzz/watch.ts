/**
 * Watches what code asks memory for: while a watch is on, every constructor of arrays and buffers is wrapped, `slice`,
 * `from`, `of` and their like included, since those go through the constructor of their array.
 *
 * Not seen are plain arrays that grow by `push`, strings, and the linear memory of WebAssembly; the last has its own
 * measure (`kernelMemoryBytes`).
 *
 * @module
 */

const ARRAYS = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
] as const;

// deno-lint-ignore no-explicit-any
type AnyConstructor = any;

/** Bytes that a constructor call asks for; a view of memory that exists asks for none. */
function requested(bytesPerElement: number, args: unknown[]): number {
  const [first] = args;
  if (typeof first === "number") return first * bytesPerElement;
  if (first === null || typeof first !== "object") return 0;
  if (first instanceof ArrayBuffer || first instanceof SharedArrayBuffer) {
    return 0;
  }
  return ((first as { length?: number }).length ?? 0) * bytesPerElement;
}

/** An active watch; it ends with its scope (`using`). */
export class AllocationWatch implements Disposable {
  /** Bytes of the largest single request since the last reset. */
  largest = 0;
  /** Bytes of all requests since the last reset. */
  total = 0;
  readonly #undo: (() => void)[] = [];

  /** Starts watching. */
  constructor() {
    for (const type of ARRAYS) this.#wrap(type, type.BYTES_PER_ELEMENT);
    this.#wrap(ArrayBuffer, 1);
    this.#wrap(Array, 8);
  }

  #wrap(type: AnyConstructor, bytesPerElement: number): void {
    const note = (args: unknown[]) => {
      // `new Array(1, 2)` lists elements
      const bytes = type === Array && args.length !== 1
        ? args.length * bytesPerElement
        : requested(bytesPerElement, args);
      this.total += bytes;
      if (bytes > this.largest) this.largest = bytes;
    };
    const proxy: AnyConstructor = new Proxy(type, {
      construct(target, args, newTarget) {
        note(args);
        return Reflect.construct(
          target,
          args,
          newTarget === proxy ? target : newTarget,
        );
      },
      apply(target, self, args) {
        note(args);
        return Reflect.apply(target, self, args);
      },
    });
    const name = type.name as keyof typeof globalThis;
    Object.defineProperty(globalThis, name, {
      value: proxy,
      configurable: true,
      writable: true,
    });
    // where slice() and its like look for the constructor of their result
    type.prototype.constructor = proxy;
    this.#undo.push(() => {
      Object.defineProperty(globalThis, name, {
        value: type,
        configurable: true,
        writable: true,
      });
      type.prototype.constructor = type;
    });
  }

  /** Forgets what was seen. */
  reset(): void {
    this.largest = 0;
    this.total = 0;
  }

  /** Ends the watch. */
  [Symbol.dispose](): void {
    for (const undo of this.#undo) undo();
  }
}
