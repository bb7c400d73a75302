import type { Scenario } from '../../../lib/live/try-request.ts';

interface FakeRun {
  clicks: number;
  counted: number;
  waiting: number;
}

const stepMs = 250;
const clicksPerStep = 10;

/** "Try it" runs of one or a hundred clicks, some of which are counted at each step. */
export function createFakeTry(count: (code: string, clicks: number) => void) {
  const runs = new Map<string, FakeRun>();
  /** At most `most` of a run's clicks are counted. */
  const settings = { most: 100 };
  const timers = new Set<NodeJS.Timeout>();

  const step = (run: FakeRun, code: string) => {
    const clicks = Math.min(clicksPerStep, run.clicks - run.counted);
    run.counted += clicks;
    run.waiting = run.counted === run.clicks ? 0 : Math.max(0, run.waiting - clicks - 1);
    if (clicks > 0) count(code, clicks);
  };
  return {
    settings,
    waiting: () => [...runs.values()].reduce((total, { waiting }) => total + waiting, 0),
    counted: (run: string) => runs.get(run)?.counted ?? 0,
    start({ code, scenario }: { code: string; scenario: Scenario }) {
      const [messages, clicks] = scenario === 'hundred' ? [110, 100] : [1, 1];
      const run = { clicks, counted: 0, waiting: messages };
      const id = crypto.randomUUID();
      runs.set(id, run);
      const end = Math.min(clicks, settings.most);
      timers.add(setInterval(() => run.counted < end && step(run, code), stepMs));
      return { run: id, messages, clicks, attempts: 3, attemptSeconds: 2 };
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

export type FakeTry = ReturnType<typeof createFakeTry>;
