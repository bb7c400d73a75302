/** The fields of Stryker's JSON report that are read here. Lines and columns are 1-based. */
export interface MutationReport {
  files: { [file: string]: { source: string; mutants: ReportedMutant[] } };
}

interface Position {
  line: number;
  column: number;
}

interface ReportedMutant {
  mutatorName: string;
  status: string;
  replacement?: string;
  location: { start: Position; end: Position };
}

/** A change of the code, identified by its text, so that it is found after lines have moved. */
export interface Change {
  file: string;
  /** The changed lines, joined. */
  before: string;
  after: string;
}

export interface Mutant extends Change {
  /** Such as `lib/keys.ts:9`. */
  place: string;
  /** Such as `BlockStatement`. */
  kind: string;
  /** Whether no test failed, or no test covers it. */
  isAlive: boolean;
  /** Whether a test failed or timed out. */
  isKilled: boolean;
  /** The whole file, before and after the mutation. */
  source: string;
  mutated: string;
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
  { mutatorName, status, replacement = '', location: { start, end } }: ReportedMutant,
): Mutant {
  const lines = source.split('\n');
  const changed = lines.slice(start.line - 1, end.line);
  const head = changed[0]?.slice(0, start.column - 1) ?? '';
  const tail = changed.at(-1)?.slice(end.column - 1) ?? '';
  const mutated = lines.toSpliced(start.line - 1, changed.length, head + replacement + tail);
  return {
    file,
    place: `${file}:${start.line}`,
    kind: mutatorName,
    isAlive: alive.includes(status),
    isKilled: killed.includes(status),
    before: joinLines(changed.join('\n')),
    after: joinLines(head + replacement + tail),
    source,
    mutated: mutated.join('\n'),
  };
}

function joinLines(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}
