// The part of @std/assert that the tests use, typed no wider than the original: code that checks here checks there.
/** A constructor, abstract ones included. */
export type ErrorClass<E> = abstract new (...args: never[]) => E;
export class AssertionError extends Error {
  constructor(message: string, options?: ErrorOptions);
}
export function assert(expr: unknown, msg?: string): asserts expr;
export function assertEquals<T>(actual: T, expected: T, msg?: string): void;
export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void;
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T;
export function assertExists<T>(
  actual: T,
  msg?: string,
): asserts actual is NonNullable<T>;
export function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance?: number,
  msg?: string,
): void;
export function assertGreater<T>(actual: T, expected: T, msg?: string): void;
export function assertLess<T>(actual: T, expected: T, msg?: string): void;
export function assertLessOrEqual<T>(
  actual: T,
  expected: T,
  msg?: string,
): void;
export function assertMatch(
  actual: string,
  expected: RegExp,
  msg?: string,
): void;
export function assertStringIncludes(
  actual: string,
  expected: string,
  msg?: string,
): void;
export function assertThrows<E extends Error>(
  fn: () => unknown,
  errorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): E;
export function assertRejects<E extends Error>(
  fn: () => PromiseLike<unknown>,
  errorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;
export function fail(msg?: string): never;
