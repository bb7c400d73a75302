import type { Cell } from './run-cell.ts';
import type { Tuning } from './stage.ts';
import { makeSite } from './traffic.ts';

/** Settings for a number of clicks a month. */
interface Profile {
  clicksPerMonth: number;
  tuning: Tuning;
}

/** Half the memory finishes a tenth of prod's clicks before the timeout. */
export const small: Tuning = {
  aggregatorMemoryMb: 512,
  batchSize: 1_000,
  pushBatchWindowSeconds: 10,
};
/** With a longer window, a provisioned table's units would be used in bursts, for which the aggregator waits. */
const large: Tuning = {
  aggregatorMemoryMb: 1_024,
  pushBatchWindowSeconds: 10,
  batchWindowSeconds: 10,
  billing: 'provisioned',
  clicksVia: 'queue',
};

/** For each size, the settings that cost least: for 10 million with a lag of ten seconds and of a minute. */
export const profiles: readonly Profile[] = [
  { clicksPerMonth: 1e5, tuning: small },
  { clicksPerMonth: 1e6, tuning: { ...small, batchWindowSeconds: 9 } },
  { clicksPerMonth: 1e7, tuning: { ...small, batchWindowSeconds: 9 } },
  { clicksPerMonth: 1e7, tuning: { ...small, batchWindowSeconds: 60, clicksVia: 'queue' } },
  { clicksPerMonth: 1e8, tuning: large },
  { clicksPerMonth: 1e9, tuning: { ...large, batchWindowSeconds: 20 } },
];

/** The first profile of the largest size that a site reaches; otherwise the smallest one. */
export function findProfile(clicksPerMonth: number): Profile {
  const reached = profiles.filter((profile) => profile.clicksPerMonth <= clicksPerMonth);
  const size = Math.max(...reached.map((profile) => profile.clicksPerMonth));
  const [smallest] = profiles;
  const found = reached.find((profile) => profile.clicksPerMonth === size) ?? smallest;
  if (!found) throw new Error('expected at least one profile; there is none');
  return found;
}

/** The site of a profile, with its settings. */
export function makeProfileCell({ clicksPerMonth, tuning }: Profile): Cell {
  return { traffic: makeSite(clicksPerMonth, tuning.batchWindowSeconds), tuning };
}
