import { beforeAll, describe, expect, inject, test } from 'vitest';
import { readPackagedService } from '../../../../fixtures/packaged-service.ts';
import { readTemplate } from '../../../../local/engines/template.ts';
import type { Findings } from '../../../compare/auditor.ts';
import type { CellResult } from '../../../compare/cell.ts';
import { runGauntlet } from '../../../compare/gauntlet.ts';
import type { Approach } from '../../../compare/names.ts';
import type { Fault } from '../../../compare/plan.ts';

// Two batches of ten. Three clicks have a copy, or one or two batches have a fault or an invalid message. The
// seed decides where a process dies and which answers are lost.
const cells: [Approach, Fault, Partial<Findings>][] = [
  ['naive', 'none', {}],
  ['naive', 'message-twice', { doubled: 3 }],
  ['naive', 'event-twice', { doubled: 3 }],
  ['naive', 'published-twice', { doubled: 3 }],
  ['naive', 'both-in-one-batch', { doubled: 2 }],
  ['naive', 'both-at-once', { doubled: 10 }],
  ['naive', 'again-after-10-s', { doubled: 3 }],
  ['naive', 'again-after-25-h', { doubled: 3 }],
  ['naive', 'again-after-8-days', { doubled: 3 }],
  ['naive', 'event-after-6-min', { doubled: 3 }],
  ['naive', 'crash-before-work', { doubled: 8 }],
  ['naive', 'crash-mid-work', { doubled: 2 }],
  ['naive', 'crash-after-work', { doubled: 9 }],
  ['naive', 'answer-lost', { doubled: 6 }],
  // Its writes aren't transactions.
  ['naive', 'conflict', {}],
  ['naive', 'throttling', { doubled: 1 }],
  // Nine valid clicks come before the invalid one. The third delivery is the last one.
  ['naive', 'malformed', { doubled: 18, deadLettered: 9 }],
  ['naive', 'changed-click', { doubled: 3 }],
  ['naive', 'unknown-link', { doubled: 1 }],
  // The four clicks before the fifth, which gets no answer.
  ['naive', 'timeout', { doubled: 4 }],
  ['claim-event-id', 'event-twice', {}],
  ['claim-event-id', 'published-twice', { doubled: 3 }],
  ['claim-event-id', 'crash-mid-work', { lost: 1 }],
  // A burst cancels 3 to 6 transactions, and a batch has at most 4 clicks on the hot link.
  ['hand-rolled', 'conflict', { lost: 3 }],
  ['fifo', 'none', {}],
  ['fifo', 'message-twice', {}],
  ['fifo', 'malformed', {}],
  ['click-tally', 'none', {}],
  ['click-tally', 'message-twice', {}],
  ['click-tally', 'conflict', {}],
  ['click-tally', 'crash-mid-work', {}],
  ['click-tally', 'malformed', {}],
];

let results: CellResult[];

beforeAll(async () => {
  const service = readPackagedService(await readTemplate(inject('packageDir')));
  const options = {
    cells: cells.map(([approach, fault]) => ({ approach, fault })),
    service,
    clickCount: 20,
    seed: 7,
    engine: inject('engine'),
    concurrency: 1,
  };
  results = await runGauntlet(options);
});

describe('a slice of the gauntlet on real engines', () => {
  test.each(cells)('%s × %s is exact but for %j', (approach, fault, found) => {
    const result = results.find((cell) => cell.approach === approach && cell.fault === fault);

    expect(result).toMatchObject({ lost: 0, doubled: 0, deadLettered: 0, ...found });
  });
});
