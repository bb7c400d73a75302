import { slotsPerSheet } from 'powertools-idempotency-transactional';
import type { Random } from '../../fixtures/random.ts';
import { createClickIds, sampleSize } from '../../lib/clicks/click-id.ts';

/**
 * Creates a source of the ids that a stage's clicks carry, in the order of the clicks. Each click
 * comes from any of the stage's environments of resolve-link, as chance has it.
 */
export function createStageIds(
  environments: number,
  codes: readonly string[],
  random: Random,
): (code: string) => string {
  const sources = Array.from({ length: environments }, () => createRunningSource(codes, random));
  return (code) => random.pick(sources)(code);
}

// An environment that has been running for a while knows how many links its clicks are on, and is
// anywhere on a sheet.
function createRunningSource(codes: readonly string[], random: Random) {
  const mint = createClickIds();
  const minted = sampleSize + random.integer(0, slotsPerSheet - 1);
  for (let left = minted; left > 0; left--) mint(random.pick(codes));
  return (code: string) => mint(code).clickId;
}
