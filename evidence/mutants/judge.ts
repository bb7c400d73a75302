/** The part of Stryker's JSON report that the judge reads; lines and columns start at 1. */
export interface Report {
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

/** One change of the code, by its text, so that it is found again after lines have moved. */
export interface Mutant {
  file: string;
  before: string;
  after: string;
}

export interface Score {
  path: string;
  bar: number;
  killed: number;
  all: number;
}

export interface Judgement {
  scores: Score[];
  /** Mutants that live without a reason. */
  unexplained: Mutant[];
  /** Reasons whose mutant does not live, or is gone. */
  outdated: Mutant[];
}

const killed = new Set(['Killed', 'Timeout']);
const alive = new Set(['Survived', 'NoCoverage']);

/** Judges a report by the bars of its paths and by the mutants that may live. */
export function judge(
  { files }: Report,
  bars: readonly [path: string, percent: number][],
  accepted: Mutant[],
): Judgement {
  const scores = bars.map(([path, bar]) => ({ path, bar, killed: 0, all: 0 }));
  const survivors = new Map<string, Mutant>();
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const score = scores.find(({ path }) => file.startsWith(path));
    if (!score) throw new Error(`expected a bar for each file; got none for ${file}`);
    for (const mutant of mutants) {
      if (killed.has(mutant.status)) score.killed += 1;
      if (killed.has(mutant.status) || alive.has(mutant.status)) score.all += 1;
      if (!alive.has(mutant.status)) continue;
      const survivor = describe(file, source, mutant);
      survivors.set(identify(survivor), survivor);
    }
  }
  const explained = new Set(accepted.map(identify));
  return {
    scores: scores.filter(({ all }) => all > 0),
    unexplained: [...survivors].filter(([id]) => !explained.has(id)).map(([, mutant]) => mutant),
    outdated: accepted.filter((one) => one.file in files && !survivors.has(identify(one))),
  };
}

/**
 * Reads the accepted mutants of a Markdown page: a heading `## <file>`, then reasons, each followed
 * by a block of diffs, with a line `- ` and a line `+ ` for each mutant.
 *
 * @throws Error for a block without a reason.
 */
export function readAccepted(page: string): Mutant[] {
  const accepted: Mutant[] = [];
  for (const section of page.split(/^## /m).slice(1)) {
    const [heading = '', ...rest] = section.split('\n');
    const file = /[\w.-]+\/[\w./-]+/.exec(heading)?.[0] ?? heading;
    const parts = rest.join('\n').split(/^```diff\n(.*?)^```$/ms);
    for (let index = 1; index < parts.length; index += 2) {
      const [reason = '', diff = ''] = parts.slice(index - 1);
      if (reason.trim() === '') {
        throw new Error(`expected a reason above this diff of ${file}; got none:\n${diff}`);
      }
      const pairs = diff.matchAll(/^- (?<before>.*)\n\+ ?(?<after>.*)$/gm);
      for (const [, before = '', after = ''] of pairs) accepted.push({ file, before, after });
    }
  }
  return accepted;
}

/** A mutant as {@link readAccepted} reads it. */
export function toDiff({ before, after }: Mutant): string {
  return `- ${before}\n+ ${after}`;
}

function identify({ file, before, after }: Mutant): string {
  return [file, before, after].join('\n');
}

// The whole lines in which the mutant is, joined.
function describe(
  file: string,
  source: string,
  { replacement = '', location: { start, end } }: ReportedMutant,
): Mutant {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const head = lines[0]?.slice(0, start.column - 1) ?? '';
  const tail = lines.at(-1)?.slice(end.column - 1) ?? '';
  return { file, before: join(lines.join('\n')), after: join(head + replacement + tail) };
}

function join(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}
