import type { Scenario } from '../../../lib/live/try-request.ts';

interface Run {
  scenario: Scenario;
  clicks: number;
  counted: number;
  waiting: number;
  setAside: number;
}

const sizes: Record<Scenario, { messages: number; clicks: number }> = {
  one: { messages: 1, clicks: 1 },
  twice: { messages: 2, clicks: 1 },
  hundred: { messages: 110, clicks: 100 },
  broken: { messages: 1, clicks: 0 },
};
const reason =
  'expected detail.at to be an ISO 8601 instant with a zone, such as 2026-05-26T10:00:00Z; got "yesterday"';

/** Runs of "Try it": a batch is counted at each step. */
export function createFakeTry(count: (code: string, clicks: number) => void) {
  const runs = new Map<string, Run>();
  /** Of a run, `most` clicks are counted. */
  const settings = { attempts: 3, attemptSeconds: 2, stepMs: 250, batch: 10, most: 100 };
  const timers = new Set<NodeJS.Timeout>();
  const sum = (field: 'waiting' | 'setAside') =>
    [...runs.values()].reduce((total, run) => total + run[field], 0);

  const step = (run: Run, code: string) => {
    const clicks = Math.min(settings.batch, run.clicks - run.counted);
    run.counted += clicks;
    run.waiting = Math.max(0, run.waiting - clicks - 1);
    if (run.counted === run.clicks) run.waiting = 0;
    if (clicks > 0) count(code, clicks);
  };
  return {
    settings,
    waiting: () => sum('waiting'),
    setAside: () => sum('setAside'),
    counted: (run: string) => runs.get(run)?.counted ?? 0,
    start({ code, scenario }: { code: string; scenario: Scenario }) {
      const { messages, clicks } = sizes[scenario];
      const run = { scenario, clicks, counted: 0, waiting: messages, setAside: 0 };
      const id = crypto.randomUUID();
      runs.set(id, run);
      const { attempts, attemptSeconds, stepMs } = settings;
      if (scenario === 'broken') {
        const setAside = () => Object.assign(run, { waiting: 0, setAside: 1 });
        timers.add(setTimeout(setAside, attempts * attemptSeconds * 1_000));
      } else {
        const end = Math.min(clicks, settings.most);
        timers.add(setInterval(() => run.counted < end && step(run, code), stepMs));
      }
      return {
        ...{ run: id, messages, clicks, attempts, attemptSeconds },
        ...(scenario === 'broken' && { reason }),
      };
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

export type FakeTry = ReturnType<typeof createFakeTry>;
