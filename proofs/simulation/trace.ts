/** The world's events. A line is built only if the trace is read. */
export class Trace {
  readonly #now: () => number;
  readonly #write: ((line: string) => void) | undefined;

  constructor(now: () => number, write?: (line: string) => void) {
    this.#now = now;
    this.#write = write;
  }

  note(text: () => string): void {
    this.#write?.(`${new Date(this.#now()).toISOString()} ${text()}`);
  }
}
