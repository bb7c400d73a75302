export interface Gate {
  /** Resolves when there is room; the caller must leave again. */
  enter(): Promise<void>;
  leave(): void;
}

/** Lets in so many at a time; the others wait, first come, first served. */
export function createGate(room: number): Gate {
  let free = room;
  const waiting: (() => void)[] = [];
  const enter = async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return { enter, leave };
}
