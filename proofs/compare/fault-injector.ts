import { createRandom } from '../../fixtures/random.ts';

export type CrashPoint = 'before-work' | 'mid-work' | 'after-work';

/** A fault in one invocation. `click` is a 1-based position in the order of the clicks' work. */
export type InjectedFault =
  | { kind: 'crash'; point: CrashPoint; click: number }
  /** From this click's work on, requests get no answer. */
  | { kind: 'hang'; click: number }
  /** DynamoDB executes every write, but half of the connections break before the answer. */
  | { kind: 'lose-answers'; seed: number }
  /** The first `requests` transactions on the hot link are cancelled. */
  | { kind: 'conflict'; requests: number }
  /** After `skip` writes to the hot link, the next `requests` are throttled. */
  | { kind: 'throttle'; skip: number; requests: number }
  /** Each request waits for its turn. */
  | { kind: 'take-turns' };

/** The properties of a request that decide whether a fault hits it. */
export interface InterceptedRequest {
  /** Its operation and items, which are the same in every run. */
  name: string;
  /** False for the SDK's own retries. */
  isFirstAttempt: boolean;
  isWrite: boolean;
  isTransaction: boolean;
  /** Whether it touches the hot link. */
  isHot: boolean;
  /** The number of clicks whose work begins with this request. */
  begins: number;
  /** The number of clicks whose work is complete after it. */
  ends: number;
}

export type RefusalReason = 'conflict' | 'throttle';

/** The possible routes of a request. */
export interface RequestRoute<T> {
  send(): Promise<T>;
  /** Sends it to a port that never answers. */
  sendToSilence(): Promise<T>;
  refuse(reason: RefusalReason): Promise<T>;
  /** Closes the connection of the answer, and returns the error that the caller sees. */
  breakConnection(answer: T): Error;
}

export interface FaultInjector {
  /** Sends a request along the route that the fault chooses. */
  pass<T>(request: InterceptedRequest, route: RequestRoute<T>): Promise<T>;
  /** Call this after the function's work, before its response is sent. */
  beforeAnswer(): Promise<void>;
}

interface ProcessControls {
  /** Kills this process at once. */
  die(): Promise<never>;
  waitForTurn(): Promise<void>;
}

interface Progress {
  begun: number;
  ended: number;
  /** Requests that the fault could refuse. */
  hot: number;
}

/** Injects the fault of one invocation into its requests. */
export function createFaultInjector(
  fault: InjectedFault | undefined,
  { die, waitForTurn }: ProcessControls,
): FaultInjector {
  const progress: Progress = { begun: 0, ended: 0, hot: 0 };
  const seen = new Map<string, number>();
  let last: Promise<unknown> = Promise.resolve();

  const passOne = async <T>(request: InterceptedRequest, route: RequestRoute<T>): Promise<T> => {
    progress.begun += request.begins;
    if (fault?.kind === 'take-turns') await waitForTurn();
    if (isCrashBefore(fault, progress)) await die();
    if (fault?.kind === 'hang' && progress.begun >= fault.click) return route.sendToSilence();
    const reason = findRefusal(fault, request, progress);
    if (reason) return route.refuse(reason);
    const answer = await route.send();
    progress.ended += request.ends;
    if (isCrashAfter(fault, progress)) await die();
    if (fault?.kind === 'lose-answers' && isAnswerLost(fault.seed, request, seen)) {
      throw route.breakConnection(answer);
    }
    return answer;
  };

  return {
    async pass(request, route) {
      if (!fault) return route.send();
      // One request at a time, so that the seed alone decides which requests the fault hits.
      const passed = last.then(() => passOne(request, route));
      last = passed.catch(() => undefined);
      return passed;
    },
    async beforeAnswer() {
      if (fault?.kind === 'crash') await die();
    },
  };
}

// Chosen by name, not by order of arrival, because random backoff changes that order.
function isAnswerLost(
  seed: number,
  { name, isWrite, isFirstAttempt }: InterceptedRequest,
  seen: Map<string, number>,
): boolean {
  if (!isWrite || !isFirstAttempt) return false;
  const times = (seen.get(name) ?? 0) + 1;
  seen.set(name, times);
  return createRandom(seed, `${name} ${times}`).integer(0, 1) === 1;
}

function isCrashBefore(fault: InjectedFault | undefined, { begun }: Progress): boolean {
  return fault?.kind === 'crash' && fault.point === 'before-work' && begun >= fault.click;
}

function isCrashAfter(fault: InjectedFault | undefined, { begun, ended }: Progress): boolean {
  if (fault?.kind !== 'crash' || fault.point === 'before-work') return false;
  return (fault.point === 'mid-work' ? begun : ended) >= fault.click;
}

function findRefusal(
  fault: InjectedFault | undefined,
  { isWrite, isTransaction, isHot }: InterceptedRequest,
  progress: Progress,
): RefusalReason | undefined {
  if (fault?.kind === 'conflict' && isTransaction && isHot) {
    return progress.hot++ < fault.requests ? 'conflict' : undefined;
  }
  if (fault?.kind === 'throttle' && isWrite && isHot) {
    const position = progress.hot++ - fault.skip;
    return position >= 0 && position < fault.requests ? 'throttle' : undefined;
  }
  return undefined;
}
