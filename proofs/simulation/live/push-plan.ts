import { createRandom } from '../../../fixtures/random.ts';

/**
 * How push-counts does in a world: `absent` if nothing reads the table's stream, `works` apart from
 * the world's faults, `slow` and `fails` until the faults end, `hangs` and `refuses` for good.
 */
export type PushState = 'absent' | 'works' | 'slow' | 'fails' | 'hangs' | 'refuses';

/** What becomes of the changes of the table in one world. */
export interface PushPlan {
  state: PushState;
  shards: number;
  /** How many links somebody may watch. */
  watchedLinks: number;
  /** When somebody opens a live page, after the start. */
  openAfterMs: number[];
  /** How long they stay. */
  stayMs: number;
  /** The share of batches that the stream hands over once more although they were processed. */
  duplicateRate: number;
  /** When a record comes that nobody can read, after the start. */
  poisonAfterMs: number[];
}

// Most worlds are about counting, which no page may change.
const states: PushState[] = [
  ...Array<PushState>(12).fill('absent'),
  ...(['works', 'works', 'works', 'works', 'slow', 'fails', 'hangs', 'refuses'] as const),
];

/** Draws the pushes of a world, from numbers of their own. */
export function drawPushPlan(seed: number, spanMs: number, given?: PushState): PushPlan {
  const random = createRandom(seed, 'push plan');
  const times = (count: number) =>
    Array.from({ length: count }, () => random.integer(1, random.pick([spanMs, 5 * spanMs])));
  const state = random.pick(states);
  return {
    state: given ?? state,
    shards: random.integer(1, 3),
    watchedLinks: random.integer(1, 4),
    openAfterMs: [0, ...times(random.pick([0, 2, 6]))],
    stayMs: random.pick([0.5, 2, 10]) * spanMs,
    duplicateRate: random.pick([0, 0.1, 0.4]),
    poisonAfterMs: times(random.pick([0, 1, 3])),
  };
}
