import { setTimeout as pause } from 'node:timers/promises';

interface ClickPlan {
  /** The link's short address. */
  url: string;
  clicksPerSecond: number;
  seconds: number;
}

/**
 * Opens the link at an even rate, without waiting for answers. Returns the start of each GET, in epoch
 * milliseconds.
 * @throws Error if one is not redirected, because it would not count.
 */
export async function sendClicks(
  { url, clicksPerSecond, seconds }: ClickPlan,
  onStart: () => void,
  signal: AbortSignal,
): Promise<number[]> {
  const count = Math.round(clicksPerSecond * seconds);
  const beginMs = Date.now();
  const answers: Promise<void>[] = [];
  const startsMs: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const dueMs = beginMs + (index * 1_000) / clicksPerSecond;
    await pause(Math.max(0, dueMs - Date.now()), undefined, { signal });
    startsMs.push(Date.now());
    answers.push(click(url));
    onStart();
  }
  await Promise.all(answers);
  return startsMs;
}

async function click(url: string): Promise<void> {
  const response = await fetch(url, { redirect: 'manual' });
  await response.text();
  if (response.status === 302) return;
  throw new Error(`Expected ${url} to answer 302; got ${response.status}.`);
}
