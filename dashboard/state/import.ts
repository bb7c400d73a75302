import { signal } from '@preact/signals';
import {
  type CsvRecord,
  createReader,
  encodingError,
  formatResults,
  ImportFileError,
  listBatches,
  type Outcome,
  type Row,
  readRecords,
  resultHeader,
  toItem,
} from '../../lib/links/import-rows.ts';
import { loadLater } from '../config.ts';
import { formatCount } from '../format.ts';
import { loadLinks } from './links.ts';
import { explainAction } from './problems.ts';
import { api } from './services.ts';

// The browser holds the file and its rows in memory.
const maxBytes = 5_000_000;
const maxShownRefusals = 20;

export interface ImportRun {
  file: string;
  isRunning: boolean;
  /** Undefined until the file has been read. */
  rows?: number;
  done: number;
  /** Rows by outcome. */
  counts: Record<Outcome['outcome'], number>;
  /** The first refused rows. */
  refusals: { line: number; message: string }[];
  /** The parts of the result file. */
  results: string[];
  /** The columns that aren't imported. */
  warning?: string;
  /** Why the import stopped early. */
  problem?: string;
}

/** The newest import, which continues when the viewer opens another view. */
export const importRun = signal<ImportRun | undefined>(undefined);

/**
 * Imports a CSV file's rows, each exactly once however often it runs. It stops at the daily limit.
 * Failures are part of {@link importRun}.
 */
export async function importFile(file: File): Promise<void> {
  if (importRun.peek()?.isRunning) return;
  let run: ImportRun = {
    ...{ file: file.name, isRunning: true, done: 0, refusals: [], results: [resultHeader] },
    counts: { created: 0, existing: 0, refused: 0, 'over-quota': 0 },
  };
  const show = (change: Partial<ImportRun>) => {
    run = { ...run, ...change };
    importRun.value = run;
  };
  show({});
  try {
    const rows = await readRows(file, (warning) => show({ warning }));
    show({ rows: rows.length });
    for await (const batch of listBatches(rows)) {
      const { outcomes } = await api.importLinks(batch.map(toItem));
      show(addOutcomes(run, batch, outcomes));
      if (run.counts['over-quota'] > 0) break;
    }
  } catch (error) {
    show({ problem: explainStop(error) });
  }
  show({ isRunning: false });
  if (run.counts.created > 0) await loadLinks();
}

function addOutcomes(run: ImportRun, batch: Row[], outcomes: Outcome[]): Partial<ImportRun> {
  const counts = { ...run.counts };
  for (const { outcome } of outcomes) counts[outcome] += 1;
  const refused = batch.flatMap(({ line }, index) => {
    const { outcome, message = '' } = outcomes[index] ?? {};
    return outcome === 'refused' ? [{ line, message }] : [];
  });
  return {
    counts,
    done: run.done + batch.length,
    refusals: [...run.refusals, ...refused].slice(0, maxShownRefusals),
    results: [...run.results, formatResults(batch, outcomes)],
  };
}

function explainStop(error: unknown): string {
  if (error instanceof ImportFileError) return error.message;
  const reason = explainAction('The import stopped.', error);
  return `${reason} To continue, choose the file again. No row is imported twice.`;
}

/** Reads the whole file first, so that nothing is imported from a file with a fault. */
async function readRows(file: File, warn: (sentence: string) => void): Promise<Row[]> {
  if (file.size > maxBytes) {
    const [most, size] = [maxBytes, file.size].map(
      (bytes) => `${formatCount(Math.ceil(bytes / 1_000_000))} MB`,
    );
    throw new ImportFileError(
      `Expected ${file.name} to have at most ${most}; got ${size}. Split it.`,
    );
  }
  const text = decode(file.name, await file.arrayBuffer());
  return Array.fromAsync(readRecords(file.name, await parseCsv(file.name, text), digest, warn));
}

function decode(name: string, bytes: ArrayBuffer): string {
  try {
    // It also removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw encodingError(name);
  }
}

async function parseCsv(name: string, text: string): Promise<CsvRecord[]> {
  const { CsvError, parse } = await loadLater();
  const { options, explain } = createReader(name);
  try {
    return parse(text, options) as unknown as CsvRecord[];
  } catch (error) {
    throw error instanceof CsvError ? explain(error) : error;
  }
}

/** The command identifies rows in the same way, so both find each other's links. */
async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
