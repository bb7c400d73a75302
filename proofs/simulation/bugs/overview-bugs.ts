import type * as daySumsModule from '../../../lib/overview/day-sums.ts';
import type * as storedSumsModule from '../../../lib/overview/stored-sums.ts';
import { inModule, type PlantedBug } from './planted-bug.ts';

const inDaySums = inModule<typeof daySumsModule>('lib/overview/day-sums.ts');
const inStoredSums = inModule<typeof storedSumsModule>('lib/overview/stored-sums.ts');

/** Bugs in the sums that are stored for overviews. */
export const overviewBugs: PlantedBug[] = [
  {
    name: 'stored sums are taken for those of the present',
    kind: 'overview',
    world: 56,
    changes: [
      inStoredSums(
        'isProven',
        () =>
          (sums, { createdAt }) =>
            sums.createdAt === createdAt,
      ),
    ],
  },
  {
    name: 'stored sums take people for bots',
    kind: 'overview',
    world: 72,
    changes: [
      inDaySums('packDays', ({ packDays }) => (days) => {
        return packDays(days.map((day) => ({ ...day, people: day.bots, bots: day.people })));
      }),
    ],
  },
];
