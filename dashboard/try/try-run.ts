import type { BacklogAnswer, TryAnswer } from '../../lib/live/answer-schemas.ts';

/** What the API has reported about a run so far. */
export interface RunProgress {
  /** The run's clicks that have a marker. */
  counted: number;
  /** Whether the queue was empty in a reading made after the last click was counted. */
  isDrained: boolean;
  /** The `readAt` of the first reading seen after the last click. */
  firstReadAt?: string;
  /** Whether more messages are set aside than before the run. */
  isSetAside: boolean;
}

export type PipelinePart =
  | 'start'
  | 'bus'
  | 'queue'
  | 'aggregator'
  | 'table'
  | 'duplicates'
  | 'setAside';

export const noProgress: RunProgress = { counted: 0, isDrained: false, isSetAside: false };

/** How long an attempt to count a broken message is shown, in seconds. */
const attemptShownSeconds = 2;

/** An attempt to count a broken message: its number, and whether it's running. */
export interface Attempt {
  number: number;
  isRunning: boolean;
  /** Until the next attempt, or until the message is set aside. */
  secondsLeft: number;
}

/**
 * Estimates a broken message's current attempt from the queue's settings and the seconds since it
 * was sent. The queue doesn't report attempts.
 */
export function expectAttempt(
  { attempts, attemptSeconds }: Pick<TryAnswer, 'attempts' | 'attemptSeconds'>,
  seconds: number,
): Attempt {
  const number = Math.min(attempts, Math.floor(seconds / attemptSeconds) + 1);
  const into = seconds - (number - 1) * attemptSeconds;
  return {
    number,
    isRunning: into < attemptShownSeconds,
    secondsLeft: Math.max(0, Math.ceil(attemptSeconds - into)),
  };
}

/**
 * Where each message of a run is, according to the API. Only messages with a marker are in the
 * table. The clicks come first, then the copies.
 */
export function locate(run: TryAnswer, progress: RunProgress, seconds: number): PipelinePart[] {
  return Array.from({ length: run.messages }, (_, index): PipelinePart => {
    if (run.clicks === 0) return locateBroken(run, progress, seconds);
    if (index < run.clicks) return index < progress.counted ? 'table' : 'queue';
    return isComplete(run, progress) ? 'duplicates' : 'queue';
  });
}

/** Whether all messages of the run have arrived. */
export function isComplete(run: TryAnswer, progress: RunProgress): boolean {
  if (run.clicks === 0) return progress.isSetAside;
  if (progress.counted < run.clicks) return false;
  return run.messages === run.clicks || progress.isDrained;
}

function locateBroken(run: TryAnswer, { isSetAside }: RunProgress, seconds: number): PipelinePart {
  if (isSetAside) return 'setAside';
  return expectAttempt(run, seconds).isRunning ? 'aggregator' : 'queue';
}

/** If two readings are this far apart, the newer one was made after the older one was seen. */
const laterMs = 2_000;

/**
 * Merges a reading of the queues into a run's progress. `seconds` is the time since the run was
 * sent.
 */
export function takeReading(
  run: TryAnswer,
  progress: RunProgress,
  reading: BacklogAnswer,
  { setAsideBefore, seconds }: { setAsideBefore: number; seconds: number },
): RunProgress {
  if (run.clicks === 0) {
    const isDue = seconds >= (run.attempts - 1) * run.attemptSeconds;
    const isSetAside = progress.isSetAside || (isDue && reading.setAside > setAsideBefore);
    return { ...progress, isSetAside };
  }
  if (progress.counted < run.clicks) return progress;
  // The service caches a reading for some seconds, so the first one seen after the last click may
  // be older than that click. A reading made well after that one isn't.
  const { firstReadAt = reading.readAt } = progress;
  const isLater = Date.parse(reading.readAt) - Date.parse(firstReadAt) >= laterMs;
  const isDrained = isLater && reading.waiting === 0;
  return { ...progress, firstReadAt, isDrained: progress.isDrained || isDrained };
}

/** The next stage on the way from one stage to another. Nothing leaves the last ones. */
function stepTowards(goal: PipelinePart, place: PipelinePart): PipelinePart {
  if (place === goal) return place;
  if (place === 'start') return 'bus';
  if (place === 'bus') return 'queue';
  if (place === 'queue') return goal === 'setAside' ? goal : 'aggregator';
  // A failed attempt returns the message to the queue, which sets it aside.
  if (place === 'aggregator') return goal === 'setAside' ? 'queue' : goal;
  return place;
}

/**
 * Moves each message by at most one stage towards its actual stage, and limits how many move from
 * one stage at once. So the drawing shows the path and never gets ahead of the API.
 */
export function advance(
  shown: readonly PipelinePart[],
  located: readonly PipelinePart[],
  most: number,
): PipelinePart[] {
  const moved = new Map<PipelinePart, number>();
  return shown.map((place, index) => {
    const step = stepTowards(located[index] ?? place, place);
    const count = moved.get(place) ?? 0;
    if (step === place || count >= most) return place;
    moved.set(place, count + 1);
    return step;
  });
}

/** Counts the messages in a stage. */
export function countIn(part: PipelinePart, places: readonly PipelinePart[]): number {
  return places.filter((place) => place === part).length;
}
