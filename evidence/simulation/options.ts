import { parseArgs } from 'node:util';
import type { Job } from './jobs.ts';
import { plantedBugs } from './planted-bugs.ts';
import type { Summary } from './report.ts';

export const usage = `npm run simulate                        all: small worlds, malformed messages, a million deliveries
npm run simulate -- --seeds 50          so many worlds
npm run simulate -- --minutes 5         for so long
npm run simulate -- --from 1000         from another seed on
npm run simulate -- --seed 7            one world
npm run simulate -- --seed 7 --trace    one world, event by event
npm run simulate -- --clicks 100        smaller worlds: so many clicks at most
npm run simulate -- --json report.json  the summary for a program
npm run simulate -- --bug "<name>"      with a bug in the service
npm run simulate -- --help              also lists the bugs`;

const enoughDeliveries = 1_000_000;

/** A mistake on the command line. */
export class UsageError extends Error {}

/** Reads the command line; throws {@link UsageError}. */
export function readOptions(args: string[]) {
  const values = parse(args);
  const seed = readNumber('seed', values.seed);
  const seeds = seed === undefined ? readNumber('seeds', values.seeds) : 1;
  const minutes = readNumber('minutes', values.minutes);
  const maxClicks = readNumber('clicks', values.clicks);
  const { bug, json, trace = false, help = false } = values;
  if (bug && !plantedBugs.some(({ name }) => name === bug)) {
    throw new UsageError(`expected the name of a bug; got "${bug}"`);
  }
  return {
    json,
    trace,
    help,
    /** Nothing was asked for, so everything is run. */
    isWhole: args.every((arg, index) => arg === '--json' || args[index - 1] === '--json'),
    from: seed ?? readNumber('from', values.from) ?? 1,
    job: (number: number): Job => ({
      seed: number,
      ...(bug && { bug }),
      ...(maxClicks && { options: { maxClicks } }),
    }),
    isEnough: ({ seeds: done, seconds, totals }: Summary) => {
      if (seeds) return done >= seeds;
      if (minutes) return seconds >= minutes * 60;
      return (totals.deliveries ?? 0) >= enoughDeliveries;
    },
  };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = {
    ...{ seed: text, seeds: text, minutes: text, from: text, clicks: text, json: text, bug: text },
    ...{ trace: flag, help: flag },
  };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (number > 0) return number;
  throw new UsageError(`expected --${name} to be a number above 0; got "${text}"`);
}
