import { type Change, listMutants, type MutationReport } from '../kit/mutation-report.ts';

export interface Score {
  path: string;
  bar: number;
  killed: number;
  all: number;
}

export interface Judgement {
  scores: Score[];
  /** Mutants that live without a reason. */
  unexplained: Change[];
  /** Reasons whose mutant a test notices, or is gone. */
  outdated: Change[];
}

/** Judges a report by the bars of its paths and by the mutants that may live. */
export function judge(
  report: MutationReport,
  bars: readonly [path: string, percent: number][],
  accepted: Change[],
): Judgement {
  const scores = bars.map(([path, bar]) => ({ path, bar, killed: 0, all: 0 }));
  const survivors = new Map<string, Change>();
  // Those that live, those that were not tried, and those that might live on a less busy machine.
  const mayLive = new Set<string>();
  for (const { file, before, after, isAlive, isKilled, tookTooLong } of listMutants(report)) {
    const score = scores.find(({ path }) => file.startsWith(path));
    if (!score) throw new Error(`expected a bar for each file; got none for ${file}`);
    if (isKilled) score.killed += 1;
    if (isKilled || isAlive) score.all += 1;
    const mutant = { file, before, after };
    if (isAlive) survivors.set(identify(mutant), mutant);
    if (!isKilled || tookTooLong) mayLive.add(identify(mutant));
  }
  const explained = new Set(accepted.map(identify));
  return {
    scores: scores.filter(({ all }) => all > 0),
    unexplained: [...survivors].filter(([id]) => !explained.has(id)).map(([, mutant]) => mutant),
    outdated: accepted.filter((one) => one.file in report.files && !mayLive.has(identify(one))),
  };
}

/**
 * Reads the accepted mutants of a Markdown page: a heading `## <file>`, then reasons, each followed
 * by a block of diffs, with a line `- ` and a line `+ ` for each mutant.
 *
 * @throws Error for a block without a reason or an end.
 */
export function readAccepted(page: string): Change[] {
  const accepted: Change[] = [];
  for (const section of page.split(/^## /m).slice(1)) {
    const [heading = '', ...rest] = section.split('\n');
    const file = /[\w.-]+\/[\w./-]+/.exec(heading)?.[0] ?? heading;
    const parts = rest.join('\n').split(/^```diff\n(.*?)^```$/ms);
    if (parts.at(-1)?.includes('```')) {
      throw new Error(`expected an end of each diff of ${file}; the last one has none`);
    }
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

/** A change as {@link readAccepted} reads it. */
export function toDiff({ before, after }: Change): string {
  return `- ${before}\n+ ${after}`;
}

function identify({ file, before, after }: Change): string {
  return [file, before, after].join('\n');
}
