import { expect, test } from 'vitest';
import { auditCounts, type Evidence, type Findings } from '../../../compare/auditor.ts';
import type { Item } from '../../../compare/cell-table.ts';
import { clickDay } from '../../../compare/plan.ts';

const makeClick = (id: string, code: string) => ({ clickId: id, eventId: `event-${id}`, code });
const makeBody = (id: string) => JSON.stringify({ detail: { clickId: id } });
const makeLink = (code: string, clicks: number, count = clicks) => [
  { PK: `LINK#${code}`, SK: 'META', clicks },
  { PK: `LINK#${code}`, SK: `STAT#${clickDay}`, count },
];

// Two clicks on one link, one on another.
const clicks = [makeClick('a', 'one'), makeClick('b', 'one'), makeClick('c', 'two')];
const evidence: Evidence = { clicks, uncountable: [], deadLetters: [] };
const uncountable = [{ body: '{"id": "bad' }];
const exactItems = [...makeLink('one', 2), ...makeLink('two', 1)];

test.each<[string, Item[], Partial<Findings>, Partial<Evidence>?]>([
  [
    'does not offset a lost click on one link against a doubled one on another',
    [...makeLink('one', 1), ...makeLink('two', 2)],
    { lost: 1, doubled: 1 },
  ],
  [
    'reports a click as lost if only its day misses it',
    [...makeLink('one', 2, 1), ...makeLink('two', 1)],
    { lost: 1 },
  ],
  [
    'does not report a dead letter as lost',
    [...makeLink('one', 1), ...makeLink('two', 1)],
    { deadLettered: 1 },
    { deadLetters: [makeBody('a')] },
  ],
  [
    'reports an invalid message as lost if its dead letter was altered',
    exactItems,
    { lost: 1 },
    { uncountable, deadLetters: ['{"id":"bad'] },
  ],
])('the audit %s', (_, items, found, changes = {}) => {
  const findings = auditCounts({ ...evidence, ...changes }, items);

  expect(findings).toMatchObject({ lost: 0, doubled: 0, deadLettered: 0, ...found });
});
