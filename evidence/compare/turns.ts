import type { FunctionInstance } from './function-host.ts';

/**
 * Lets workers take turns, request by request: once each of them either waits or is done, the one
 * that had the fewest turns goes on. So the order of their requests is the same in every run.
 */
export function takeTurns(workers: FunctionInstance[]) {
  const states = workers.map((worker) => ({ worker, isWaiting: false, isDone: false, turns: 0 }));
  const goOn = () => {
    if (!states.every(({ isWaiting, isDone }) => isWaiting || isDone)) return;
    const [next] = states
      .filter(({ isWaiting }) => isWaiting)
      .toSorted((a, b) => a.turns - b.turns);
    if (!next) return;
    next.isWaiting = false;
    next.turns += 1;
    next.worker.go();
  };
  const stateOf = (index: number) => {
    const state = states[index];
    if (!state) throw new Error(`There is no worker ${index}.`);
    return state;
  };
  return {
    worker: (index: number) => stateOf(index).worker,
    /** Runs one worker's part; `onWaiting` is to be called whenever it waits. */
    async run<T>(index: number, part: (onWaiting: () => void) => Promise<T>): Promise<T> {
      const state = stateOf(index);
      const wait = () => {
        state.isWaiting = true;
        goOn();
      };
      try {
        return await part(wait);
      } finally {
        state.isDone = true;
        goOn();
      }
    },
  };
}
