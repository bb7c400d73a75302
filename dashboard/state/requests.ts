import { ApiError, isInDoubt } from './problems.ts';

const maxWaits = 10;
const attemptsInDoubt = 3;
/** The limit for a minute passes within one. The daily limit doesn't. */
const longestWaitSeconds = 60;
/** API Gateway's own limit is for a second, and its answer doesn't say so. */
const usualWaitSeconds = 2;

/** Repeats a throttled request after the time that the API names. Throws `ApiError`. */
export async function retryWhenThrottled<T>(request: () => Promise<T>): Promise<T> {
  for (let wait = 1; ; wait += 1) {
    try {
      return await request();
    } catch (error) {
      const seconds = readWait(error);
      if (seconds === undefined || wait > maxWaits) throw error;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
  }
}

/** Repeats a request while it's unknown whether it took effect. Throws `ApiError`. */
export async function retryWhileInDoubt<T>(request: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request();
    } catch (error) {
      if (!isInDoubt(error) || attempt === attemptsInDoubt) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 1_000));
    }
  }
}

function readWait(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.status !== 429) return undefined;
  const { retryAfterSeconds = usualWaitSeconds } = error;
  return retryAfterSeconds <= longestWaitSeconds ? retryAfterSeconds : undefined;
}

let running = 0;

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Does something in many requests. Until it ends, the browser asks before the viewer leaves the page. */
export async function finishBeforeLeaving<T>(run: () => Promise<T>): Promise<T> {
  running += 1;
  addEventListener('beforeunload', warn);
  try {
    return await run();
  } finally {
    running -= 1;
    if (running === 0) removeEventListener('beforeunload', warn);
  }
}
