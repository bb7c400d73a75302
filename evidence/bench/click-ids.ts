import { createClickIds } from '../../lib/clicks/click-id.ts';
import { slotsPerPage } from '../../lib/idempotency/index.ts';
import type { Random } from '../kit/random.ts';

/**
 * Creates a source of the ids that a stage's clicks carry, in the order of the clicks. Each click
 * comes from any of the stage's environments of resolve-link, as chance has it.
 */
export function createStageIds(environments: number, random: Random): () => string {
  const sources = Array.from({ length: environments }, () => createRunningSource(random));
  return () => random.pick(sources)();
}

// An environment that has been running for a while is anywhere on a page.
function createRunningSource(random: Random): () => string {
  const mint = createClickIds();
  for (let left = random.integer(0, slotsPerPage - 1); left > 0; left--) mint();
  return mint;
}
