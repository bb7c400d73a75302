import type { FunctionInstance } from './function-host.ts';

/**
 * Invokes function instances that take turns with their requests. Once every instance is waiting or
 * done, the one with the fewest turns continues, so the order of requests is the same in every run.
 * `invoke` must call `onWaiting` whenever its instance waits.
 */
export function takeTurns<T>(
  instances: FunctionInstance[],
  invoke: (instance: FunctionInstance, index: number, onWaiting: () => void) => Promise<T>,
): Promise<T[]> {
  const states = instances.map(() => ({ isWaiting: false, isDone: false, turns: 0 }));
  const goOn = () => {
    if (!states.every(({ isWaiting, isDone }) => isWaiting || isDone)) return;
    const waiting = states.filter(({ isWaiting }) => isWaiting);
    const [next] = waiting.toSorted((a, b) => a.turns - b.turns);
    if (!next) return;
    next.isWaiting = false;
    next.turns += 1;
    instances[states.indexOf(next)]?.go();
  };
  const run = async (instance: FunctionInstance, index: number) => {
    const change = (state: object) => {
      Object.assign(states[index] ?? {}, state);
      goOn();
    };
    try {
      return await invoke(instance, index, () => change({ isWaiting: true }));
    } finally {
      change({ isDone: true });
    }
  };
  return Promise.all(instances.map(run));
}
