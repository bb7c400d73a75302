import { createRandom } from '../kit/random.ts';

export type CrashPoint = 'before-work' | 'mid-work' | 'after-work';

/** What befalls one invocation; a `click` is the position, from 1, in the order of their work. */
export type Trouble =
  | { kind: 'crash'; point: CrashPoint; click: number }
  /** From that click's work on, no request is answered. */
  | { kind: 'hang'; click: number }
  /** Half of the writes are carried out, but the connection breaks before the answer. */
  | { kind: 'lose-answers'; seed: number }
  /** So many transactions on the hot link are cancelled. */
  | { kind: 'conflict'; requests: number }
  /** So many writes to the hot link are refused, once `skip` went through. */
  | { kind: 'throttle'; skip: number; requests: number }
  /** Each request waits for its turn. */
  | { kind: 'take-turns' };

/** A request as far as trouble is concerned. */
export type Request = {
  /** What it is to do and to which items, the same in every run. */
  name: string;
  /** Not one of the SDK's own retries. */
  isFirstAttempt: boolean;
  isWrite: boolean;
  isTransaction: boolean;
  /** It touches the hot link, or is a charge. */
  isHot: boolean;
  /** How many clicks' work begins with it, and how many clicks' work is complete after it. */
  begins: number;
  ends: number;
};

/** How a request is sent or refused. */
export type Route<T> = {
  send(): Promise<T>;
  /** Sends it to where nothing ever answers. */
  sendToNowhere(): Promise<T>;
  refuse(reason: 'conflict' | 'throttle'): Promise<T>;
  /** Closes the connection that the answer came on, and returns what the caller sees of it. */
  breakConnection(answer: T): Error;
};

type Means = {
  /** Kills this process at once. */
  die(): Promise<never>;
  takeTurn(): Promise<void>;
};

/** Carries out the trouble of one invocation at its requests. */
export function createTroublemaker(trouble: Trouble | undefined, { die, takeTurn }: Means) {
  const progress = { begun: 0, ended: 0, hot: 0 };
  const seen = new Map<string, number>();
  let queue = Promise.resolve();

  const passOne = async <T>(request: Request, route: Route<T>): Promise<T> => {
    progress.begun += request.begins;
    if (trouble?.kind === 'take-turns') await takeTurn();
    if (isCrashBefore(trouble, progress.begun)) await die();
    if (trouble?.kind === 'hang' && progress.begun >= trouble.click) return route.sendToNowhere();
    const refusal = findRefusal(trouble, request, progress);
    if (refusal) return route.refuse(refusal);
    const result = await route.send();
    progress.ended += request.ends;
    if (isCrashAfter(trouble, progress)) await die();
    if (trouble?.kind === 'lose-answers' && isAnswerLost(trouble.seed, request, seen)) {
      throw route.breakConnection(result);
    }
    return result;
  };

  return {
    /** Lets a request pass, or not; in trouble one after another, so that the seed decides all. */
    async pass<T>(request: Request, route: Route<T>): Promise<T> {
      if (!trouble) return route.send();
      const passed = queue.then(() => passOne(request, route));
      queue = passed.then(
        () => undefined,
        () => undefined,
      );
      return passed;
    },
    /** The function is done and about to answer. */
    async beforeAnswer(): Promise<void> {
      if (trouble?.kind === 'crash') await die();
    },
  };
}

// By name and not by order of arrival, which retries after random waits would change.
function isAnswerLost(seed: number, request: Request, seen: Map<string, number>): boolean {
  if (!request.isWrite || !request.isFirstAttempt) return false;
  const times = (seen.get(request.name) ?? 0) + 1;
  seen.set(request.name, times);
  return createRandom(seed, `${request.name} ${times}`).integer(0, 1) === 1;
}

function isCrashBefore(trouble: Trouble | undefined, begun: number): boolean {
  return trouble?.kind === 'crash' && trouble.point === 'before-work' && begun >= trouble.click;
}

function isCrashAfter(
  trouble: Trouble | undefined,
  { begun, ended }: { begun: number; ended: number },
): boolean {
  if (trouble?.kind !== 'crash' || trouble.point === 'before-work') return false;
  return (trouble.point === 'mid-work' ? begun : ended) >= trouble.click;
}

function findRefusal(
  trouble: Trouble | undefined,
  { isWrite, isTransaction, isHot }: Request,
  progress: { hot: number },
): 'conflict' | 'throttle' | undefined {
  if (trouble?.kind === 'conflict' && isTransaction && isHot) {
    return progress.hot++ < trouble.requests ? 'conflict' : undefined;
  }
  if (trouble?.kind === 'throttle' && isWrite && isHot) {
    const passed = progress.hot++ - trouble.skip;
    return passed >= 0 && passed < trouble.requests ? 'throttle' : undefined;
  }
  return undefined;
}
