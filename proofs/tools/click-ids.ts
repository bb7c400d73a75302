import { slotsPerSheet } from 'powertools-idempotency-transactional';
import type { Random } from '../../fixtures/random.ts';
import { createClickIds, sampleSize } from '../../lib/clicks/click-id.ts';

/**
 * Creates a source of a stage's click ids. Each click comes from a random one of the stage's
 * environments of resolve-link.
 */
export function createStageIds(
  environments: number,
  codes: readonly string[],
  random: Random,
): (code: string) => string {
  const sources = Array.from({ length: environments }, () => createRunningSource(codes, random));
  return (code) => random.pick(sources)(code);
}

// An environment that has been running for a while knows its number of links and is in the middle of
// a sheet.
function createRunningSource(codes: readonly string[], random: Random) {
  const mint = createClickIds();
  const minted = sampleSize + random.integer(0, slotsPerSheet - 1);
  for (let left = minted; left > 0; left--) mint(random.pick(codes));
  return (code: string) => mint(code).clickId;
}
