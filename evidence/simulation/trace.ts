/** What happened, event by event; nothing is built unless somebody listens. */
export class Trace {
  readonly #write: ((line: string) => void) | undefined;

  constructor(write?: (line: string) => void) {
    this.#write = write;
  }

  /** Notes an event of now; the text is made only where it is read. */
  note(text: () => string): void {
    this.#write?.(`${new Date().toISOString()} ${text()}`);
  }
}
