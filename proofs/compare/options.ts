import { type Command, InvalidArgumentError } from 'commander';
import { parseCount } from '../../cli/terminal/arguments.ts';
import { createProgram } from '../../cli/terminal/program.ts';
import { approaches, type Cell, faults, listCells } from './names.ts';

const fullClickCount = 200;
const quickClickCount = 10;

const description =
  'Run twelve approaches to counting clicks through nineteen faults on the local engines, audit ' +
  'the counts and explain each failing cell. Exits with 1 if click-tally is not exact in every cell.';

export interface CompareOptions {
  /** All cells with all clicks: what the picture in docs/compare.md shows. */
  isFull: boolean;
  cells: Cell[];
  clickCount: number;
  seed: number;
  jsonFile: string | undefined;
}

interface ParsedOptions {
  quick?: boolean;
  only?: Cell[];
  seed: number;
  json?: string;
}

/** Creates the gauntlet's command line. */
export function createCompareProgram(
  compare: (options: CompareOptions) => Promise<void> | void,
): Command {
  return createProgram('compare', description, 'proofs')
    .option('--quick', 'run every cell with fewer clicks, in less than a minute')
    .option('--only <names>', 'run only these approaches and faults, separated by commas', readOnly)
    .option('--seed <n>', 'the same seed injects the same faults', parseCount, 1)
    .option('--json <file>', 'also write the results to this file')
    .action(({ quick = false, only, seed, json }: ParsedOptions) =>
      compare({
        isFull: !quick && only === undefined,
        cells: only ?? listCells(),
        clickCount: quick ? quickClickCount : fullClickCount,
        seed,
        jsonFile: json,
      }),
    );
}

function readOnly(text: string): Cell[] {
  const names = text.split(',').filter(Boolean);
  const isApproach = (name: string) => (approaches as readonly string[]).includes(name);
  const isFault = (name: string) => (faults as readonly string[]).includes(name);
  const unknown = names.find((name) => !isApproach(name) && !isFault(name));
  if (unknown !== undefined) {
    const known = [...approaches, ...faults].join(', ');
    throw new InvalidArgumentError(
      `Expected approaches or faults; got "${unknown}". Choose from: ${known}.`,
    );
  }
  const wantedApproaches = names.filter(isApproach);
  const wantedFaults = names.filter(isFault);
  return listCells().filter(
    ({ approach, fault }) =>
      (wantedApproaches.length === 0 || wantedApproaches.includes(approach)) &&
      (wantedFaults.length === 0 || wantedFaults.includes(fault)),
  );
}
