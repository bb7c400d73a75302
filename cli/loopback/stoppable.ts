export interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Waits for a start to finish and stops what it started, for `AsyncDisposableStack.adopt`. A failed
 * start leaves nothing to stop, and its error goes to the caller that awaits it.
 */
export async function stopOnceStarted(starting: Promise<Stoppable>): Promise<void> {
  await starting.then(
    (started) => started.stop(),
    () => undefined,
  );
}
