import { signal } from '@preact/signals';
import type { Columns, Meaning } from '../../lib/links/import-export/import-columns.ts';
import type { CsvRecord } from '../../lib/links/import-export/import-file.ts';
import type { Outcome, Row } from '../../lib/links/import-export/import-rows.ts';
import { loadLazyCode } from '../config.ts';
import { digest, readCsv } from './csv-file.ts';
import { loadLinks } from './links.ts';
import { explainAction } from './problems.ts';
import { finishBeforeLeaving, retryWhenThrottled } from './requests.ts';
import { api } from './services.ts';

type LazyCode = Awaited<ReturnType<typeof loadLazyCode>>;

const maxShownRejections = 20;
const noCounts = { created: 0, existing: 0, ready: 0, refused: 0, 'over-quota': 0 };

export interface ImportRun {
  file: string;
  /** It's checked before anything is created, and then waits for the viewer's yes. */
  phase: 'reading' | 'checking' | 'checked' | 'importing' | 'done';
  /** What the file has, with its first line. */
  records: CsvRecord[];
  columns?: Columns;
  rows: Row[];
  /** How many rows were checked or imported. */
  done: number;
  /** Rows by outcome. */
  counts: Record<Outcome['outcome'], number>;
  /** The first rejected rows. */
  rejections: { line: number; text: string }[];
  /** Why rows can't be imported, by line. */
  rejected: Map<number, Outcome>;
  /** The number of links that the viewer may still create today. */
  remaining?: number;
  /** The parts of the result file. */
  results: string[];
  /** The rows whose texts were too long, and were cut. */
  cut: number;
  /** Why the viewer must agree that every link gets a new code. */
  lostCodes?: string;
  /** Why the file can't be read, or why the check or the import stopped early. */
  problem?: string;
}

/** The newest import, which continues when the viewer opens another view. */
export const importRun = signal<ImportRun>();

/** Another file, or another choice of columns, ends the check of the one before. */
let newest = 0;

function show(change: Partial<ImportRun>): void {
  const run = importRun.peek();
  if (run) importRun.value = { ...run, ...change };
}

/** Reads and checks a CSV file's rows, which {@link importRows} imports. A fault is part of {@link importRun}. */
export async function readFile(file: File): Promise<void> {
  if (importRun.peek()?.phase === 'importing') return;
  const request = ++newest;
  importRun.value = {
    file: file.name,
    phase: 'reading',
    records: [],
    rows: [],
    done: 0,
    counts: noCounts,
    rejections: [],
    rejected: new Map(),
    results: [],
    cut: 0,
  };
  try {
    const lazy = await loadLazyCode();
    const records = await readCsv(lazy, file);
    if (request !== newest) return;
    show({ records });
    await examine(lazy, request);
  } catch (error) {
    if (request === newest) show({ phase: 'done', problem: explainFile(error) });
  }
}

/** Gives a column of the file another meaning, or none, and checks the rows again. */
export async function changeColumn(index: number, meaning?: Meaning): Promise<void> {
  const { columns } = importRun.peek() ?? {};
  if (!columns) return;
  const request = ++newest;
  const lazy = await loadLazyCode();
  const chosen = lazy.chooseColumn(columns, index, meaning);
  if (chosen.positions.url !== -1) return examine(lazy, request, chosen);
  const problem = 'Choose the column that has the destinations.';
  show({ phase: 'done', columns: chosen, rows: [], problem });
}

/** Checks the rows again, for example because the service couldn't be reached. */
export async function checkAgain(): Promise<void> {
  const request = ++newest;
  await check(await loadLazyCode(), request);
}

/** Reads the rows with the columns that were found or chosen, and checks them. */
async function examine(lazy: LazyCode, request: number, chosen?: Columns): Promise<void> {
  const { file, records } = importRun.peek() ?? {};
  if (!file || !records) return;
  try {
    const { columns, cut, suspect } = await lazy.surveyRecords(file, records, { chosen });
    const rows = await Array.fromAsync(lazy.toRows(records, columns, digest));
    if (request !== newest) return;
    const isWithoutCodes = columns.positions.code === -1 && columns.positions.custom === -1;
    const known = isWithoutCodes ? importRun.peek()?.lostCodes : undefined;
    const lostCodes = suspect === undefined ? known : lazy.explainSuspect(suspect, file);
    show({ columns, rows, cut, lostCodes, problem: undefined });
    await check(lazy, request);
  } catch (error) {
    if (request !== newest) return;
    const columns = chosen ?? offerColumns(lazy, file, records);
    show({ phase: 'done', columns, rows: [], problem: explainFile(error) });
  }
}

/** The columns for the viewer to choose, unless the first line isn't the fault. */
function offerColumns(lazy: LazyCode, file: string, [first]: CsvRecord[]): Columns | undefined {
  if (!first) return undefined;
  try {
    lazy.readHeader(file, first.cells);
    return undefined;
  } catch {
    return lazy.unknownColumns(first.cells);
  }
}

/** Asks the service what would become of the rows. Nothing is created. */
async function check(lazy: LazyCode, request: number): Promise<void> {
  const { rows = [] } = importRun.peek() ?? {};
  show({
    phase: 'checking',
    done: 0,
    counts: noCounts,
    rejections: [],
    rejected: new Map(),
    results: [lazy.resultHeader],
    problem: undefined,
  });
  const repeated = new lazy.RepeatedCodes();
  try {
    for await (const batch of lazy.listBatches(rows)) {
      const links = batch.map(lazy.toItem);
      const answer = await retryWhenThrottled(() => api.importLinks({ links, dryRun: true }));
      if (request !== newest) return;
      const outcomes = repeated.reject(batch, answer.outcomes);
      const rejected = batch.flatMap(({ line }, index): [number, Outcome][] => {
        const outcome = outcomes[index];
        return outcome?.outcome === 'refused' ? [[line, outcome]] : [];
      });
      const before = importRun.peek()?.rejected ?? [];
      show({ remaining: answer.remaining, rejected: new Map([...before, ...rejected]) });
      addOutcomes(lazy, batch, outcomes);
    }
    show({ phase: 'checked' });
  } catch (error) {
    if (request !== newest) return;
    show({ phase: 'checked', problem: explainAction("The rows couldn't be checked.", error) });
  }
}

/**
 * Imports the rows that can be imported, each exactly once however often it runs. It stops at the daily
 * limit. Failures are part of {@link importRun}.
 */
export async function importRows(): Promise<void> {
  const run = importRun.peek();
  if (run?.phase !== 'checked') return;
  const { rows, rejected } = run;
  const lazy = await loadLazyCode();
  show({
    phase: 'importing',
    done: 0,
    counts: noCounts,
    rejections: [],
    results: [lazy.resultHeader],
    problem: undefined,
  });
  try {
    await finishBeforeLeaving(() => importBatches(lazy, rows, rejected));
  } catch (error) {
    show({ problem: explainStop(error) });
  }
  show({ phase: 'done' });
  if (importRun.peek()?.counts.created) await loadLinks();
}

async function importBatches(lazy: LazyCode, rows: Row[], rejected: ImportRun['rejected']) {
  for await (const batch of lazy.listBatches(rows)) {
    const links = batch.filter(({ line }) => !rejected.has(line)).map(lazy.toItem);
    const { outcomes } =
      links.length === 0
        ? { outcomes: [] }
        : await retryWhenThrottled(() => api.importLinks({ links }));
    const answered = outcomes.values();
    const all = batch.flatMap(({ line }) => rejected.get(line) ?? answered.next().value ?? []);
    addOutcomes(lazy, batch, all);
    if (importRun.peek()?.counts['over-quota']) return;
  }
}

function addOutcomes(lazy: LazyCode, batch: Row[], outcomes: Outcome[]): void {
  const run = importRun.peek();
  if (!run) return;
  const counts = { ...run.counts };
  for (const { outcome } of outcomes) counts[outcome] += 1;
  const rejected = batch.flatMap((row, index) => {
    const { outcome, message } = outcomes[index] ?? {};
    if (outcome !== 'refused') return [];
    return [{ line: row.line, text: `${lazy.describeRow(row)}: ${message}` }];
  });
  show({
    counts,
    done: run.done + batch.length,
    rejections: [...run.rejections, ...rejected].slice(0, maxShownRejections),
    results: [...run.results, lazy.formatResults(batch, outcomes)],
  });
}

function explainFile(error: unknown): string {
  if (error instanceof Error && error.name === 'ImportFileError') return error.message;
  return explainAction("The file couldn't be read.", error);
}

function explainStop(error: unknown): string {
  const reason = explainAction('The import stopped.', error);
  return `${reason} To continue, choose the file again. No row is imported twice.`;
}
