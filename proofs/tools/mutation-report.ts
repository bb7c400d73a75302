/** Stryker's JSON report, as far as it is read here; lines and columns start at 1. */
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

/** A change of the code, by its text, so that it is found again after lines have moved. */
export interface Change {
  file: string;
  /** The lines that change, joined to one. */
  before: string;
  after: string;
}

export interface Mutant extends Change {
  /** Such as `lib/keys.ts:9`. */
  place: string;
  /** Such as `BlockStatement`. */
  kind: string;
  /** No test failed, or none reached the place. */
  isAlive: boolean;
  /** A test failed or took too long. */
  isKilled: boolean;
  /** The whole file, and what the mutant makes of it. */
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
