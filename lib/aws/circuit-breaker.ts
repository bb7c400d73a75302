/** After a failure, callers with an alternative don't try again for this long. */
const openMs = 5_000;

/**
 * Remembers that a service failed, so that only one visitor of an execution environment waits for it
 * every few seconds.
 */
export class CircuitBreaker {
  #closesAtMs = 0;

  get isOpen(): boolean {
    return Date.now() < this.#closesAtMs;
  }

  open(): void {
    this.#closesAtMs = Date.now() + openMs;
  }
}
