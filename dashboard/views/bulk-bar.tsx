import { useSignal } from '@preact/signals';
import { loadLazyCode } from '../config.ts';
import { countOf, formatCount } from '../format.ts';
import { found } from '../state/arrangement.ts';
import { applyToChosen, type BulkAction, type BulkRun, bulkRun, undoBulk } from '../state/bulk.ts';
import { chooseFound, chooseNone, chosen, hiddenCount } from '../state/chosen-links.ts';
import { saveFile } from './actions.tsx';
import { Button } from './button.tsx';
import { Field } from './field.tsx';

const maxShownFailures = 20;

const actions = {
  tag: { name: 'Add a tag', done: 'tagged' },
  untag: { name: 'Remove a tag', done: 'untagged' },
  disable: { name: 'Disable', done: 'disabled' },
  enable: { name: 'Enable', done: 'enabled' },
  expire: { name: 'Set the expiry', done: 'given an expiry' },
  never: { name: 'Remove the expiry', done: 'without an expiry' },
  download: { name: 'Download (CSV)', done: 'downloaded' },
  delete: { name: 'Delete', done: 'deleted' },
};
type Choice = keyof typeof actions;

/** Chooses links, and does something with all of them. */
export function BulkBar() {
  const action = useSignal<Choice>('tag');
  const problem = useSignal<string | undefined>(undefined);
  const run = bulkRun.value;
  const count = chosen.value.length;
  const { name } = actions[action.value];
  const start = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    if (run?.isRunning || count === 0) return;
    problem.value = undefined;
    if (action.value === 'download') return download();
    const wanted = readAction(action.value, new FormData(event.currentTarget));
    if (typeof wanted === 'string') problem.value = wanted;
    else await applyToChosen(wanted);
  };
  return (
    <section class="bulk panel" aria-label="Chosen links">
      <p class="buttons">
        <span role="status">
          {countOf(count, 'link')} chosen
          {hiddenCount.value > 0 && ` (${formatCount(hiddenCount.value)} not shown)`}
        </span>
        <Button onClick={chooseFound}>Choose all {formatCount(found.value.length)} found</Button>
        <Button onClick={chooseNone}>Choose none</Button>
      </p>
      <form class="bulk-form" onSubmit={start} noValidate>
        <div class="field">
          <select
            aria-label="Action"
            value={action.value}
            onChange={({ currentTarget }) => {
              action.value = currentTarget.value as Choice;
            }}
          >
            {Object.entries(actions).map(([value, { name: label }]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
        {(action.value === 'tag' || action.value === 'untag') && (
          <Field name="tag" label="Tag" problem={problem.value} />
        )}
        {action.value === 'expire' && (
          <Field name="expiresAt" label="Expires on" isTime problem={problem.value} />
        )}
        <Button kind="primary" type="submit" aria-disabled={count === 0 || run?.isRunning}>
          {name}: {countOf(count, 'link')}
        </Button>
      </form>
      {run?.isRunning && <Progress run={run} />}
      <div role="status">{run && !run.isRunning && <Result run={run} />}</div>
    </section>
  );
}

/** What the viewer wants, or why it can't be done. */
function readAction(choice: Choice, entered: FormData): BulkAction | string {
  switch (choice) {
    case 'tag':
    case 'untag': {
      const tag = `${entered.get('tag') ?? ''}`.trim();
      return tag ? { kind: choice, tag } : 'Enter a tag.';
    }
    case 'expire': {
      const ms = Date.parse(`${entered.get('expiresAt') ?? ''}`);
      if (Number.isNaN(ms)) return 'Enter a date and a time.';
      return { kind: 'expire', expiresAt: new Date(ms).toISOString() };
    }
    case 'never':
      return { kind: 'expire', expiresAt: null };
    default:
      return { kind: choice as 'disable' | 'enable' | 'delete' };
  }
}

async function download(): Promise<void> {
  const { formatLinks } = await loadLazyCode();
  saveFile('links.csv', [formatLinks(chosen.peek(), { isFirst: true })]);
}

function Progress({ run: { total, changed, unchanged, failures } }: { run: BulkRun }) {
  const done = changed + unchanged + failures.length;
  return (
    <p class="import-progress">
      <progress max={total} value={done} aria-label="Links done" />
      {formatCount(done)} of {countOf(total, 'link')}
    </p>
  );
}

/** What was done, what wasn't and why. */
function Result({ run }: { run: BulkRun }) {
  const { kind, isUndo, changed, unchanged, failures, undo } = run;
  const others = failures.length - maxShownFailures;
  const done = isUndo ? 'changed back' : actions[kind].done;
  return (
    <>
      <p class={failures.length > 0 ? 'row-note is-problem' : 'row-note'}>
        {countOf(changed, 'link')} {done}
        {unchanged > 0 && `, ${formatCount(unchanged)} needed no change`}
        {failures.length > 0 && `, ${formatCount(failures.length)} failed and are still chosen`}.{' '}
        {kind === 'delete' && changed > 0 && !isUndo && 'You can restore them for 90 days. '}
        {undo.size > 0 && !isUndo && <Button onClick={undoBulk}>Undo</Button>}
      </p>
      {failures.length > 0 && (
        <ul class="rejections">
          {failures.slice(0, maxShownFailures).map(({ code, reason }) => (
            <li key={code}>
              {code}: {reason}
            </li>
          ))}
          {others > 0 && <li>{countOf(others, 'more link')} failed.</li>}
        </ul>
      )}
    </>
  );
}
