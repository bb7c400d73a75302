import { signal } from '@preact/signals';
import type { CsvRecord } from '../../lib/links/import-export/import-file.ts';
import type { Outcome, Row } from '../../lib/links/import-export/import-rows.ts';
import { loadLater } from '../config.ts';
import { formatCount } from '../format.ts';
import { loadLinks } from './links.ts';
import { explainAction } from './problems.ts';
import { api } from './services.ts';

type Later = Awaited<ReturnType<typeof loadLater>>;

// The browser holds the file and its rows in memory.
const maxBytes = 5_000_000;
const maxShownRefusals = 20;
const maxHeaderCharacters = 65_536;

export interface ImportRun {
  file: string;
  isRunning: boolean;
  /** Rows that the viewer hasn't confirmed yet. */
  found?: Row[];
  /** Undefined until the viewer has confirmed them. */
  rows?: number;
  done: number;
  /** Rows by outcome. */
  counts: Record<Outcome['outcome'], number>;
  /** The first refused rows. */
  refusals: { line: number; text: string }[];
  /** The parts of the result file. */
  results: string[];
  /** What was understood, and the columns that aren't imported. */
  notes?: string;
  /** Why the viewer must agree that every link gets a new code. */
  lostCodes?: string;
  /** Why the import stopped early. */
  problem?: string;
}

/** The newest import, which continues when the viewer opens another view. */
export const importRun = signal<ImportRun>();

function show(change: Partial<ImportRun>): void {
  const run = importRun.peek();
  if (run) importRun.value = { ...run, ...change };
}

/** Reads a CSV file's rows, which {@link importFound} imports. A fault is part of {@link importRun}. */
export async function readFile(file: File): Promise<void> {
  if (importRun.peek()?.isRunning) return;
  importRun.value = {
    file: file.name,
    isRunning: true,
    done: 0,
    refusals: [],
    results: [],
    counts: { created: 0, existing: 0, refused: 0, 'over-quota': 0 },
  };
  try {
    const later = await loadLater();
    show({ ...(await readRows(later, file)), results: [later.resultHeader] });
  } catch (error) {
    show({ problem: explainStop(error) });
  }
  show({ isRunning: false });
}

/**
 * Imports the rows that were found, each exactly once however often it runs. It stops at the daily
 * limit. Failures are part of {@link importRun}.
 */
export async function importFound(): Promise<void> {
  const rows = importRun.peek()?.found;
  if (!rows) return;
  show({ isRunning: true, found: undefined, rows: rows.length });
  try {
    const later = await loadLater();
    for await (const batch of later.listBatches(rows)) {
      const { outcomes } = await api.importLinks(batch.map(later.toItem));
      addOutcomes(later, batch, outcomes);
      if (importRun.peek()?.counts['over-quota']) break;
    }
  } catch (error) {
    show({ problem: explainStop(error) });
  }
  show({ isRunning: false });
  if (importRun.peek()?.counts.created) await loadLinks();
}

function addOutcomes(later: Later, batch: Row[], outcomes: Outcome[]): void {
  const run = importRun.peek();
  if (!run) return;
  const counts = { ...run.counts };
  for (const { outcome } of outcomes) counts[outcome] += 1;
  const refused = batch.flatMap((row, index) => {
    const { outcome, message } = outcomes[index] ?? {};
    if (outcome !== 'refused') return [];
    return [{ line: row.line, text: `${later.describeRow(row)}: ${message}` }];
  });
  show({
    counts,
    done: run.done + batch.length,
    refusals: [...run.refusals, ...refused].slice(0, maxShownRefusals),
    results: [...run.results, later.formatResults(batch, outcomes)],
  });
}

function explainStop(error: unknown): string {
  if (error instanceof Error && error.name === 'ImportFileError') return error.message;
  const reason = explainAction('The import stopped.', error);
  return `${reason} To continue, choose the file again. No row is imported twice.`;
}

/** Reads the whole file first, so that nothing is imported from a file with a fault. */
async function readRows(
  later: Later,
  file: File,
): Promise<Pick<ImportRun, 'found' | 'notes' | 'lostCodes'>> {
  const { name, size } = file;
  const toMb = (bytes: number) => `${formatCount(Math.ceil(bytes / 1_000_000))} MB`;
  if (size > maxBytes)
    throw later.expected(name, `at most ${toMb(maxBytes)}`, `${toMb(size)}. Split it`);
  const text = decode(later, name, await file.arrayBuffer());
  const { options, explain } = later.createReader(name, text.slice(0, maxHeaderCharacters));
  try {
    const records = later.parse(text, options) as unknown as CsvRecord[];
    const { columns, notes, suspect } = await later.surveyRecords(name, records);
    const found = await Array.fromAsync(later.readRecords(records, columns, digest));
    return { found, notes, lostCodes: suspect && later.explainSuspect(suspect, name) };
  } catch (error) {
    throw error instanceof later.CsvError ? explain(error) : error;
  }
}

function decode({ createDecoder, encodingError }: Later, name: string, bytes: ArrayBuffer): string {
  try {
    return createDecoder(new Uint8Array(bytes)).decode(bytes);
  } catch {
    throw encodingError(name);
  }
}

/** The command identifies rows in the same way, so both find each other's links. */
async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
