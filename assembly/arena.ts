// The arena: one bump pointer over linear memory, 16-byte aligned, no headers, no garbage collector.
// The host marks, allocates, runs a kernel and releases; nothing here is called while a kernel runs.
// Sizes are u64 throughout: a request near 4 GiB must fail, not wrap.

const ALIGN: u64 = 15;
/** Linear memory may end here: leaves the last page free so that a 16-byte load at the end can not wrap. */
const CEILING: u64 = 0xffff0000;

let top: u64 = (<u64>__heap_base + ALIGN) & ~ALIGN;

/** The current top, for arenaRelease. */
export function arenaMark(): u32 {
  return <u32>top;
}

/** Gives back everything allocated since `mark`. The pages stay: memory never shrinks. */
export function arenaRelease(mark: u32): void {
  assert(<u64>mark <= top); // debug build only
  top = <u64>mark;
}

/** A 16-byte aligned block, or 0 when linear memory can not grow that far. */
export function arenaAlloc(bytes: u32): u32 {
  const start = top;
  const end = (start + <u64>bytes + ALIGN) & ~ALIGN;
  if (end > CEILING) return 0;
  const have = <u64>memory.size() << 16;
  if (end > have && memory.grow(<i32>((end - have + 0xffff) >> 16)) < 0) return 0;
  top = end;
  return <u32>start;
}
