import { useEffect, useMemo } from 'preact/hooks';
import type { Scenario } from '../../lib/live/try-request.ts';
import { countOf, formatCount } from '../format.ts';
import { prefersLessMotion } from '../state/browser.ts';
import { ProblemNotice } from '../views/notices.tsx';
import { order, Pipeline, parts } from './pipeline.tsx';
import { createTryState, type TryState } from './state.ts';
import { countIn, expectAttempt, isComplete, type PipelinePart } from './try-run.ts';

const names: Record<Scenario, string> = {
  one: 'One click',
  twice: 'The same click twice',
  hundred: 'A hundred at once',
  broken: 'A broken message',
};

/** Sends clicks to the link and shows what happens to each. */
export function TrySection({ code }: { code: string }) {
  const state = useMemo(() => createTryState(code), [code]);
  useEffect(() => state.stop, [state]);
  const problem = state.problem.value;
  const run = state.run.value;
  return (
    <section class="panel try" aria-labelledby="try-it">
      <header class="panel-head">
        <h2 id="try-it">Try it</h2>
        <p class="muted">
          Real messages, sent through the real service. They count towards this link.
        </p>
      </header>
      <div class="try-buttons">
        {(Object.keys(names) as Scenario[]).map((scenario) => (
          <button
            key={scenario}
            type="button"
            class={run?.scenario === scenario ? 'button is-chosen' : 'button'}
            aria-disabled={state.isStarting.value}
            onClick={() => state.start(scenario)}
          >
            {names[scenario]}
          </button>
        ))}
      </div>
      {problem && (
        <ProblemNotice problem={problem} onRetry={() => state.start(run?.scenario ?? 'one')} />
      )}
      {prefersLessMotion.value ? (
        <Places places={state.located.value} />
      ) : (
        <Pipeline places={state.shown.value} clicks={run?.clicks ?? 0} />
      )}
      <p class="try-state" role="status">
        {run ? describe(state) : 'Choose one and follow it through the service.'}
      </p>
      {run?.reason && (
        <p class="try-reason">
          The reason: <code>{run.reason}</code>
        </p>
      )}
    </section>
  );
}

/** The drawing's content as a list, for screen readers. */
function Places({ places }: { places: readonly PipelinePart[] }) {
  return (
    <ol class="places">
      {order.map((part) => (
        <li key={part}>
          <span>{parts[part].title}</span> <b>{formatCount(countIn(part, places))}</b>
        </li>
      ))}
    </ol>
  );
}

/** Describes the run's state in one sentence. */
function describe({ run, progress, seconds }: TryState): string {
  const { value: current } = run;
  if (!current) return '';
  const { counted } = progress.value;
  const copies = current.messages - current.clicks;
  if (current.clicks === 0)
    return describeBroken(current, progress.value.isSetAside, seconds.value);
  if (counted < current.clicks) {
    return `Sent ${countOf(current.messages, 'message')}; ${formatCount(counted)} of ${formatCount(current.clicks)} counted.`;
  }
  const all = `${countOf(current.clicks, 'click')} counted, once each.`;
  if (copies === 0) return all;
  return isComplete(current, progress.value)
    ? `${all} ${countOf(copies, 'copy was', 'copies were')} recognised and not counted again.`
    : `${all} Waiting for the queue to empty before confirming ${countOf(copies, 'copy', 'copies')}.`;
}

function describeBroken(
  run: { attempts: number; attemptSeconds: number },
  isSetAside: boolean,
  seconds: number,
): string {
  if (isSetAside) return 'Set aside after its last attempt. Nothing was counted or lost.';
  const { number, isRunning, secondsLeft } = expectAttempt(run, seconds);
  if (isRunning) return `Attempt ${number} of ${run.attempts}.`;
  if (number < run.attempts) {
    return `Not counted. Attempt ${number + 1} of ${run.attempts} is due in about ${secondsLeft} s.`;
  }
  return secondsLeft > 0
    ? `Not counted. After the last attempt, it will be set aside in about ${secondsLeft} s.`
    : 'Not counted. Waiting for the queue to set it aside.';
}
