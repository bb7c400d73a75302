import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Row } from '../../lib/links/import-export/import-rows.ts';
import { lineFields } from '../../lib/links/rules/link-fields.ts';
import { countOf, formatCount } from '../format.ts';
import { type ImportRun, importFound, importRun, readFile } from '../state/import.ts';
import { saveFile } from './actions.tsx';
import { Button } from './button.tsx';
import { labels } from './form-fields.tsx';

const previewedRows = 3;

/** Creates links from a CSV file that the viewer chooses or drops. */
export function ImportLinks() {
  const input = useRef<HTMLInputElement>(null);
  const isOver = useSignal(false);
  const run = importRun.value;
  const take = (files: FileList | null | undefined) => {
    const [file] = files ?? [];
    if (file) readFile(file);
  };
  const drag = (event: DragEvent, next: boolean) => {
    event.preventDefault();
    isOver.value = next;
  };
  return (
    <>
      <fieldset
        aria-label="File"
        class={isOver.value ? 'drop is-over' : 'drop'}
        onDragOver={(event) => drag(event, true)}
        onDragLeave={(event) => drag(event, false)}
        onDrop={(event) => {
          drag(event, false);
          take(event.dataTransfer?.files);
        }}
      >
        <p>Drop a CSV file here, or choose one.</p>
        <Button
          aria-disabled={run?.isRunning ?? false}
          onClick={() => run?.isRunning || input.current?.click()}
        >
          Choose a file
        </Button>
        <input
          ref={input}
          type="file"
          accept=".csv,text/csv"
          aria-label="CSV file"
          hidden
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            // Otherwise, choosing the same file again would do nothing.
            currentTarget.value = '';
          }}
        />
        <p class="muted">
          First line: <code>{`url,code,expiresAt,tags,${lineFields}`}</code>. Only <code>url</code>{' '}
          is required. An expiry is a time such as <code>2026-05-26T18:00:00Z</code>. Exports of
          Bitly, dub, Kutt, Rebrandly, Shlink, Short.io and YOURLS work too. Importing a row again
          doesn't create a second link.
        </p>
      </fieldset>
      {run?.found && <Preview run={run} rows={run.found} />}
      {run?.isRunning && <Progress run={run} />}
      <div role="status">{run && !run.isRunning && !run.found && <Result run={run} />}</div>
    </>
  );
}

const previewed = { code: 'Code', url: 'Destination', ...labels, expiresAt: 'Expiry' };

/** What was understood of a file, before its links are created. */
function Preview({ run: { file, notes, lostCodes }, rows }: { run: ImportRun; rows: Row[] }) {
  const first = rows.slice(0, previewedRows);
  const names = Object.keys(previewed) as (keyof typeof previewed)[];
  return (
    <>
      <p role="status">
        {file} has {countOf(rows.length, 'row')}.{' '}
        {rows.length > first.length && `These are the first ${first.length}.`} {notes}
      </p>
      <table class="preview" aria-label="First rows">
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {previewed[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first.map((row) => (
            <tr key={row.line}>
              {names.map((name) => (
                <td key={name}>{[row[name] ?? '–'].flat().join(', ')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          importFound();
        }}
      >
        {lostCodes && (
          <>
            <p class="row-note is-problem">{lostCodes}</p>
            <label class="check">
              <input type="checkbox" required /> Give every link a new code
            </label>
          </>
        )}
        <p>
          <Button kind="primary" type="submit">
            Import {countOf(rows.length, 'row')}
          </Button>
        </p>
      </form>
    </>
  );
}

function Progress({ run: { file, rows, done } }: { run: ImportRun }) {
  return (
    <p class="import-progress">
      <progress max={rows ?? 1} value={rows === undefined ? undefined : done} aria-label={file} />
      {rows === undefined ? 'Reading…' : `${formatCount(done)} of ${countOf(rows, 'row')}`}
    </p>
  );
}

function Result({ run }: { run: ImportRun }) {
  const { file, rows, done, counts, refusals, results, notes, problem } = run;
  const left = rows === undefined ? 0 : rows - done + counts['over-quota'];
  const others = counts.refused - refusals.length;
  return (
    <>
      {problem && <p class="row-note is-problem">{problem}</p>}
      {!problem && left > 0 && (
        <p class="row-note is-problem">
          You've reached your daily limit. For the other {countOf(left, 'row')}, import the file
          again tomorrow (UTC).
        </p>
      )}
      {rows !== undefined && (
        <p>
          {countOf(counts.created, 'link')} created, {formatCount(counts.existing)} already existed,{' '}
          {countOf(counts.refused, 'row')} refused.
        </p>
      )}
      {notes && <p>{notes}</p>}
      {refusals.length > 0 && (
        <ul class="refusals">
          {refusals.map(({ line, text }) => (
            <li key={line}>{text}</li>
          ))}
          {others > 0 && <li>For {formatCount(others)} more, see the results.</li>}
        </ul>
      )}
      {done > 0 && (
        <p>
          <Button onClick={() => saveFile(`${file.replace(/\.csv$/i, '')}.result.csv`, results)}>
            Download results (CSV)
          </Button>
        </p>
      )}
    </>
  );
}
