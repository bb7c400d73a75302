import { setTimeout as sleep } from 'node:timers/promises';

const intervalMs = 50;

/**
 * Asks again and again until the answer is true; a failed question counts as no.
 * @throws Error when `timeoutMs` is over, or when what is asked has `endedEarly`.
 */
export async function waitUntil(
  ask: () => Promise<boolean>,
  { timeoutMs, endedEarly }: { timeoutMs: number; endedEarly?: Promise<unknown> },
): Promise<void> {
  let ended = false;
  endedEarly?.then(() => {
    ended = true;
  });
  let lastError: unknown;
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(intervalMs)) {
    if (ended) throw new Error('it ended before it answered');
    try {
      if (await ask()) return;
    } catch (error) {
      lastError = error;
    }
  }
  throw new Error(`no answer within ${timeoutMs / 1000} s`, { cause: lastError });
}
