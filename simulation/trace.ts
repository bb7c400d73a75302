/** What happened, event by event; nothing is built unless somebody listens. */
export class Trace {
  readonly #write: ((line: string) => void) | undefined;
  readonly #names = new Map<string, string>();

  constructor(write?: (line: string) => void) {
    this.#write = write;
  }

  get listens(): boolean {
    return this.#write !== undefined;
  }

  /** Notes an event of now; the text is made only where it is read. */
  note(text: () => string): void {
    this.#write?.(`${new Date().toISOString()} ${text()}`);
  }

  /** The same short name for the same random id, so that two runs of a seed read the same. */
  nameOf(kind: string, id: string): string {
    if (!this.#write) return id;
    let name = this.#names.get(id);
    if (name === undefined) {
      name = `${kind}-${this.#names.size}`;
      this.#names.set(id, name);
    }
    return name;
  }
}
