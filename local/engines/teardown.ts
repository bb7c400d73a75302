export type Stoppable = { stop(): Promise<void> };

export type Teardown = Stoppable & {
  /** Remembers what is being started, to be stopped later. */
  use<T extends Stoppable>(starting: T | Promise<T>): Promise<T>;
};

/** Stops what was started, and what is still starting, in reverse order. */
export function createTeardown(): Teardown {
  const started: Promise<Stoppable>[] = [];
  const use = <T extends Stoppable>(starting: T | Promise<T>) => {
    const promise = Promise.resolve(starting);
    started.push(promise);
    return promise;
  };
  const stop = async () => {
    for (let next = started.pop(); next; next = started.pop()) {
      // What never started has nothing to stop, and its error has gone to who started it.
      await next.then(
        (running) => running.stop(),
        () => undefined,
      );
    }
  };
  return { use, stop };
}
