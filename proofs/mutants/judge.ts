import { listMutants, type Mutant, type MutationReport } from './mutation-report.ts';

export interface Score {
  path: string;
  /** The percentage that tests must kill. */
  bar: number;
  killed: number;
  all: number;
}

/** Scores a report by the bars of its paths, and lists the surviving mutants. */
export function judge(
  report: MutationReport,
  bars: readonly [path: string, percent: number][],
): { scores: Score[]; survivors: Mutant[] } {
  const scores = bars.map(([path, bar]) => ({ path, bar, killed: 0, all: 0 }));
  const mutants = listMutants(report);
  for (const { file, isAlive, isKilled } of mutants) {
    const score = scores.find(({ path }) => file.startsWith(path));
    if (!score) throw new Error(`expected a bar for each file; got none for ${file}`);
    if (isKilled) score.killed += 1;
    if (isKilled || isAlive) score.all += 1;
  }
  return {
    scores: scores.filter(({ all }) => all > 0),
    survivors: mutants.filter(({ isAlive }) => isAlive),
  };
}
