const realNow = Date.now;
let offsetMs = 0;

/** Sets this process's clock `aheadMs` milliseconds ahead of the real one. */
export function setClock(aheadMs: number): void {
  offsetMs = aheadMs;
  Date.now = () => realNow() + offsetMs;
}

/** How many milliseconds this process's clock is ahead of the real one. */
export function clockOffsetMs(): number {
  return offsetMs;
}
