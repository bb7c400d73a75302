/** The fields of Stryker's JSON report that are read here. Lines and columns are 1-based. */
export interface MutationReport {
  files: { [file: string]: { source: string; mutants: ReportedMutant[] } };
}

interface Position {
  line: number;
  column: number;
}

interface ReportedMutant {
  status: string;
  replacement?: string;
  location: { start: Position; end: Position };
}

/** A change of the code. */
export interface Mutant {
  file: string;
  /** Such as `lib/keys.ts:9`. */
  place: string;
  /** The changed lines, joined. */
  before: string;
  after: string;
  /** Whether no test failed, or no test covers it. */
  isAlive: boolean;
  /** Whether a test failed or timed out. */
  isKilled: boolean;
}

const alive = ['Survived', 'NoCoverage'];
const killed = ['Killed', 'Timeout'];

/** Lists the mutants of a report, file by file. */
export function listMutants({ files }: MutationReport): Mutant[] {
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => toMutant(file, source, mutant)),
  );
}

function toMutant(
  file: string,
  source: string,
  { status, replacement = '', location: { start, end } }: ReportedMutant,
): Mutant {
  const changed = source.split('\n').slice(start.line - 1, end.line);
  const head = changed[0]?.slice(0, start.column - 1) ?? '';
  const tail = changed.at(-1)?.slice(end.column - 1) ?? '';
  return {
    file,
    place: `${file}:${start.line}`,
    isAlive: alive.includes(status),
    isKilled: killed.includes(status),
    before: joinLines(changed.join('\n')),
    after: joinLines(head + replacement + tail),
  };
}

function joinLines(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}
