import type { FunctionCode } from './compiled-code.ts';
import type { Measurement } from './contention-meter.ts';
import { type ContentionTraffic, measureContention } from './contention-world.ts';

/** Retries may cost this share of the saving of sheets. */
const maxShare = 0.1;

/** The same traffic with both kinds of ids. `Alone` is a model without conflicts. */
export interface Comparison {
  single: Measurement;
  sheets: Measurement;
  singleAlone: Measurement;
  sheetsAlone: Measurement;
}

/** Measures all four kinds with each seed from 1 on. Returns the means. */
export async function compareIds(
  traffic: ContentionTraffic,
  seeds: number,
  code: FunctionCode,
  onRun: () => void = () => {},
): Promise<Comparison> {
  const measure = async (ids: 'foreign' | 'placed', isUncontended: boolean) => {
    const runs: Measurement[] = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      runs.push(await measureContention({ ...traffic, seed, ids, isUncontended }, code));
      onRun();
    }
    return average(runs);
  };
  return {
    single: await measure('foreign', false),
    sheets: await measure('placed', false),
    singleAlone: await measure('foreign', true),
    sheetsAlone: await measure('placed', true),
  };
}

/** The saving of sheets, the cost of their retries, and whether that is below a tenth. */
export function judge(comparison: Comparison) {
  const units = compare(comparison, (m) => m.committedUnits + m.cancelledUnits);
  const ms = compare(comparison, (m) => m.invocationMs);
  const problems = Object.values(comparison).flatMap((measured: Measurement) => measured.problems);
  return {
    lines: [
      describe('write units a click', units, 3),
      describe('ms of an invocation', ms, 1),
      `every click counted once: ${problems.length === 0 ? 'yes' : 'NO'}`,
    ],
    problems,
    isPassed: units.isPassed && ms.isPassed && problems.length === 0,
  };
}

interface Difference {
  saved: number;
  addedSingle: number;
  addedSheets: number;
  isPassed: boolean;
}

// The cost of retries is the difference to the model without conflicts.
function compare(
  { single, sheets, singleAlone, sheetsAlone }: Comparison,
  read: (measured: Measurement) => number,
): Difference {
  const saved = read(singleAlone) - read(sheetsAlone);
  const addedSingle = read(single) - read(singleAlone);
  const addedSheets = read(sheets) - read(sheetsAlone);
  const isPassed = saved > 0 && addedSheets - addedSingle < maxShare * saved;
  return { saved, addedSingle, addedSheets, isPassed };
}

function describe(
  unit: string,
  { saved, addedSingle, addedSheets, isPassed }: Difference,
  digits: number,
): string {
  const [save, single, sheets, more] = [
    saved,
    addedSingle,
    addedSheets,
    addedSheets - addedSingle,
  ].map((value) => value.toFixed(digits));
  const verdict = isPassed ? 'below a tenth: pass' : 'NOT below a tenth';
  return `${unit}: sheets save ${save}; retries add ${single} with single markers, ${sheets} with sheets: ${more} more; ${verdict}`;
}

function average(runs: Measurement[]): Measurement {
  const [first] = runs;
  if (!first) throw new Error('expected a run; got none');
  const mean = { ...first, problems: runs.flatMap(({ problems }) => problems) };
  for (const key of Object.keys(first) as (keyof Measurement)[]) {
    if (key === 'problems') continue;
    mean[key] = runs.reduce((sum, run) => sum + run[key], 0) / runs.length;
  }
  return mean;
}
