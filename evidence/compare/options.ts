import { parseArgs } from 'node:util';
import { approaches, type Cell, faults, listCells } from './names.ts';

export const defaultClickCount = 200;
const quickClickCount = 10;

export const usage = `npm run compare -- [options]
  --quick           fewer clicks, all cells, within a minute
  --only NAMES      approaches and faults, with commas between: only their cells
  --seed N          a whole number; the same seed makes the same faults (default 1)
  --json FILE       write results.json there too
  --help`;

/** The command line asks for what there is not; the message says what there is. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type Options = {
  isHelp: boolean;
  /** All cells with all clicks: what the pictures of the README show. */
  isWhole: boolean;
  cells: Cell[];
  clickCount: number;
  seed: number;
  jsonFile: string | undefined;
};

/** @throws {UsageError} that says what is wrong and what can be given. */
export function readOptions(args: string[]): Options {
  const values = parse(args);
  const { quick = false, only, seed = '1', json, help = false } = values;
  if (!/^\d{1,9}$/.test(seed))
    throw new UsageError(`--seed must be a whole number, not "${seed}".`);
  return {
    isHelp: help,
    isWhole: !quick && only === undefined,
    cells: selectCells(only),
    clickCount: quick ? quickClickCount : defaultClickCount,
    seed: Number(seed),
    jsonFile: json,
  };
}

function parse(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        quick: { type: 'boolean' },
        only: { type: 'string' },
        seed: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function selectCells(only: string | undefined): Cell[] {
  const names = (only ?? '').split(',').filter(Boolean);
  const isApproach = (name: string) => (approaches as readonly string[]).includes(name);
  const unknown = names.find((name) => !isApproach(name) && !(name in faults));
  if (unknown) {
    const known = [...approaches, ...Object.keys(faults)].join(', ');
    throw new UsageError(`--only knows no "${unknown}". It knows: ${known}.`);
  }
  const wantedApproaches = names.filter(isApproach);
  const wantedFaults = names.filter((name) => !isApproach(name));
  return listCells().filter(
    ({ approach, fault }) =>
      (wantedApproaches.length === 0 || wantedApproaches.includes(approach)) &&
      (wantedFaults.length === 0 || wantedFaults.includes(fault)),
  );
}
