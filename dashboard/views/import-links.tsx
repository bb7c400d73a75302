import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { listServices } from '../../lib/links/import-export/other-services.ts';
import { lineFields } from '../../lib/links/rules/link-fields.ts';
import { countOf, formatCount } from '../format.ts';
import { checkAgain, type ImportRun, importRows, importRun, readFile } from '../state/import.ts';
import { saveFile } from './actions.tsx';
import { Button } from './button.tsx';
import { FirstLinks, ImportColumns } from './import-preview.tsx';

/** Creates links from a CSV file that the viewer chooses or drops. */
export function ImportLinks() {
  const input = useRef<HTMLInputElement>(null);
  const isOver = useSignal(false);
  const run = importRun.value;
  const isImporting = run?.phase === 'importing';
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
        <Button aria-disabled={isImporting} onClick={() => isImporting || input.current?.click()}>
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
          {listServices()} work too. Importing a row again doesn't create a second link.
        </p>
      </fieldset>
      {run && <Run run={run} />}
    </>
  );
}

function Run({ run }: { run: ImportRun }) {
  const { phase, columns, records, rows } = run;
  const isPreview = phase === 'checking' || phase === 'checked' || rows.length === 0;
  const isRunning = phase === 'reading' || phase === 'checking' || phase === 'importing';
  return (
    <>
      {isPreview && columns && <ImportColumns columns={columns} records={records} />}
      {isPreview && <FirstLinks rows={rows} />}
      {isRunning && <Progress run={run} />}
      <div role="status">
        {phase === 'checked' && <Verdict run={run} />}
        {phase === 'done' && <Result run={run} />}
      </div>
      {phase === 'checked' && !run.problem && <Confirmation run={run} />}
      {phase === 'checked' && run.problem && <Button onClick={checkAgain}>Check again</Button>}
    </>
  );
}

/** What would become of the rows. */
function Verdict({ run }: { run: ImportRun }) {
  const { file, rows, counts, columns, cut, problem } = run;
  if (problem) return <p class="row-note is-problem">{problem}</p>;
  const service = columns?.service;
  const waiting = listWaiting(run);
  return (
    <>
      <p>
        {file} has {countOf(rows.length, 'row')}
        {service && ` and is an export of ${service}`}. {countOf(listReady(run), 'link')} can be
        created
        {counts.existing > 0 && `, ${formatCount(counts.existing)} exist already`}
        {counts.refused > 0 && `, ${countOf(counts.refused, 'row')} can't be imported`}.
        {cut > 0 && ` Rows whose texts are too long, and will be cut: ${formatCount(cut)}.`}
      </p>
      {waiting > 0 && (
        <p class="row-note is-problem">
          You may create {countOf(run.remaining ?? 0, 'more link')} today. For the other{' '}
          {countOf(waiting, 'row')}, import the file again tomorrow (UTC).
        </p>
      )}
      <Rejections run={run} />
      {counts.refused > 0 && <Download run={run} label="Download the problems (CSV)" />}
    </>
  );
}

/** The number of links that the import can create today. */
function listReady({ counts, remaining = 0 }: ImportRun): number {
  return Math.min(counts.ready + counts['over-quota'], remaining);
}

/** The number of rows beyond the daily limit. */
function listWaiting(run: ImportRun): number {
  return run.counts.ready + run.counts['over-quota'] - listReady(run);
}

function Confirmation({ run }: { run: ImportRun }) {
  const ready = listReady(run);
  const { lostCodes, counts } = run;
  if (ready === 0) return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        importRows();
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
          {counts.refused > 0 ? 'Import the other ' : 'Import '}
          {countOf(ready, 'row')}
        </Button>
      </p>
    </form>
  );
}

const doing = { checking: 'Checking', importing: 'Importing' };

function Progress({ run: { file, phase, rows, done } }: { run: ImportRun }) {
  const isReading = phase === 'reading';
  return (
    <p class="import-progress">
      <progress
        max={rows.length || 1}
        value={isReading ? undefined : done}
        aria-label={isReading ? file : `${doing[phase as keyof typeof doing]} ${file}`}
      />
      {isReading
        ? 'Reading…'
        : `${doing[phase as keyof typeof doing]}: ${formatCount(done)} of ${countOf(rows.length, 'row')}`}
    </p>
  );
}

function Result({ run }: { run: ImportRun }) {
  const { rows, done, counts, problem } = run;
  const left = rows.length - done + counts['over-quota'];
  return (
    <>
      {problem && <p class="row-note is-problem">{problem}</p>}
      {!problem && left > 0 && (
        <p class="row-note is-problem">
          You've reached your daily limit. For the other {countOf(left, 'row')}, import the file
          again tomorrow (UTC).
        </p>
      )}
      {rows.length > 0 && (
        <p>
          {countOf(counts.created, 'link')} created, {formatCount(counts.existing)} already existed,{' '}
          {countOf(counts.refused, 'row')} refused.
        </p>
      )}
      <Rejections run={run} />
      {done > 0 && <Download run={run} label="Download results (CSV)" />}
    </>
  );
}

/** The first rows that can't be imported, and why. */
function Rejections({ run: { rejections, counts } }: { run: ImportRun }) {
  const others = counts.refused - rejections.length;
  if (rejections.length === 0) return null;
  return (
    <ul class="rejections">
      {rejections.map(({ line, text }) => (
        <li key={line}>{text}</li>
      ))}
      {others > 0 && <li>For {formatCount(others)} more, see the file below.</li>}
    </ul>
  );
}

function Download({ run: { file, results }, label }: { run: ImportRun; label: string }) {
  return (
    <p>
      <Button onClick={() => saveFile(`${file.replace(/\.csv$/i, '')}.result.csv`, results)}>
        {label}
      </Button>
    </p>
  );
}
