export interface Stoppable {
  stop(): Promise<void>;
}

/**
 * For `AsyncDisposableStack.adopt`: waits for a start to finish, and stops the result. A failed
 * start cleans up after itself, and its error goes to the caller that awaits it.
 */
export async function stopOnceStarted(starting: Promise<Stoppable>): Promise<void> {
  await starting.then(
    (started) => started.stop(),
    () => undefined,
  );
}
