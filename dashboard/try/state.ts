import { computed, signal } from '@preact/signals';
import type { TryAnswer } from '../../lib/live/answer-schemas.ts';
import type { Scenario } from '../../lib/live/try-request.ts';
import { backlog, readBacklog } from '../state/backlog.ts';
import { explain, type Problem } from '../state/problems.ts';
import { api } from '../state/services.ts';
import {
  advance,
  isComplete,
  locate,
  noProgress,
  type PipelinePart,
  type RunProgress,
  takeReading,
} from './try-run.ts';

const pollMs = 600;
const backlogMs = 2_000;
const frameMs = 90;
const giveUpMs = 15 * 60_000;

interface ShownRun extends TryAnswer {
  scenario: Scenario;
  startedMs: number;
}

/** Sends clicks through the service and follows them through the API. */
export function createTryState(code: string) {
  const run = signal<ShownRun | undefined>(undefined);
  const progress = signal<RunProgress>(noProgress);
  const shown = signal<PipelinePart[]>([]);
  const seconds = signal(0);
  const problem = signal<Problem | undefined>(undefined);
  const isStarting = signal(false);
  const located = computed(() =>
    run.value ? locate(run.value, progress.value, seconds.value) : [],
  );
  const isSettled = computed(
    () =>
      !run.value ||
      (isComplete(run.value, progress.value) &&
        shown.value.every((place, index) => place === located.value[index])),
  );
  const { every, stop } = createIntervals();

  const draw = () => {
    const current = run.peek();
    if (!current) return;
    const elapsedMs = Date.now() - current.startedMs;
    seconds.value = Math.floor(elapsedMs / 1_000);
    shown.value = advance(shown.peek(), located.peek(), Math.ceil(current.messages / 30));
    if (isSettled.peek() || elapsedMs > giveUpMs) stop();
  };
  const readCounted = async (current: ShownRun) => {
    if (progress.peek().counted >= current.clicks) return;
    const { counted } = await api
      .readRun(current.run, current.clicks)
      .catch(() => ({ counted: 0 }));
    if (run.peek() !== current) return;
    const before = progress.peek();
    progress.value = { ...before, counted: Math.max(before.counted, counted) };
  };
  const readQueues = async (current: ShownRun, setAsideBefore: number) => {
    const reading = await readBacklog();
    if (!reading || run.peek() !== current) return;
    const situation = { setAsideBefore, seconds: seconds.peek() };
    progress.value = takeReading(current, progress.peek(), reading, situation);
  };

  return {
    run,
    progress,
    shown,
    located,
    seconds,
    problem,
    isStarting,
    stop,
    async start(scenario: Scenario) {
      if (isStarting.peek()) return;
      stop();
      isStarting.value = true;
      problem.value = undefined;
      const setAsideBefore = (await readBacklog())?.setAside ?? backlog.peek()?.setAside ?? 0;
      try {
        const started = {
          ...(await api.startRun(code, scenario)),
          scenario,
          startedMs: Date.now(),
        };
        run.value = started;
        progress.value = noProgress;
        seconds.value = 0;
        shown.value = Array.from({ length: started.messages }, () => 'start');
        every(frameMs, draw);
        every(pollMs, () => readCounted(started));
        every(backlogMs, () => readQueues(started, setAsideBefore));
      } catch (error) {
        problem.value = explain(error);
      }
      isStarting.value = false;
    },
  };
}

function createIntervals() {
  let running: ReturnType<typeof setInterval>[] = [];
  return {
    every(ms: number, work: () => void) {
      running.push(setInterval(work, ms));
    },
    stop() {
      for (const timer of running) clearInterval(timer);
      running = [];
    },
  };
}

export type TryState = ReturnType<typeof createTryState>;
