const realNow = Date.now;
let offsetMs = 0;

/** Moves this process's clock to `aheadMs` milliseconds ahead of the real one. */
export function setClock(aheadMs: number): void {
  offsetMs = aheadMs;
  Date.now = () => realNow() + offsetMs;
}

/** How far ahead of the real one this process's clock is, in milliseconds. */
export function clockOffsetMs(): number {
  return offsetMs;
}
