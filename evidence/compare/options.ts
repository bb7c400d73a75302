import { parseArgs } from 'node:util';
import { approaches, type Cell, faults, listCells } from './names.ts';

/** US East (N. Virginia), standard table class: https://aws.amazon.com/dynamodb/pricing/on-demand/ */
const defaultPrice = '0.625';
export const defaultClickCount = 200;
const quickClickCount = 10;

export const usage = `npm run compare -- [options]
  --quick           fewer clicks, all cells, within a minute
  --only NAMES      approaches and faults, with commas between: only their cells
  --seed N          a whole number; the same seed makes the same faults (default 1)
  --price DOLLARS   for a million write request units (default ${defaultPrice}: on demand, us-east-1)
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
  price: number;
  /** Whether the price is the known one, of us-east-1. */
  isDefaultPrice: boolean;
  jsonFile: string | undefined;
};

/** @throws {UsageError} that says what is wrong and what can be given. */
export function readOptions(args: string[]): Options {
  const values = parse(args);
  const { quick = false, only, seed = '1', price = defaultPrice, json, help = false } = values;
  if (!/^\d{1,9}$/.test(seed))
    throw new UsageError(`--seed must be a whole number, not "${seed}".`);
  if (!/^\d+(\.\d+)?$/.test(price)) {
    throw new UsageError(`--price must be dollars such as 0.625, not "${price}".`);
  }
  return {
    isHelp: help,
    isWhole: !quick && only === undefined,
    cells: selectCells(only),
    clickCount: quick ? quickClickCount : defaultClickCount,
    seed: Number(seed),
    price: Number(price),
    isDefaultPrice: price === defaultPrice,
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
        price: { type: 'string' },
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
