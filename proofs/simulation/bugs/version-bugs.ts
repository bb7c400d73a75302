import type * as placedIdModule from '../../../lib/clicks/placed-id.ts';
import { rolls } from '../simulator.ts';
import { inModule, type PlantedBug } from './planted-bug.ts';

const inPlacedId = inModule<typeof placedIdModule>('lib/clicks/placed-id.ts');

/** Each version agrees with itself, so only worlds with both versions show it. */
export const versionBugs: PlantedBug[] = rolls.map((roll) => ({
  name: `seals are derived in another way, rolled ${roll}`,
  kind: 'counted twice',
  world: 43,
  roll,
  changes: [
    inPlacedId('openSheet', ({ openSheet }) => (seed) => {
      const { id, seals } = openSheet(seed);
      return { id, seals: seals.map((seal) => [...seal].reverse().join('')) };
    }),
    inPlacedId('clickSlot', ({ clickSlot }) => (idempotencyKey) => {
      const parts = idempotencyKey.split('.');
      const seal = [...(parts.pop() ?? '')].reverse().join('');
      return clickSlot([...parts, seal].join('.'));
    }),
  ],
}));
