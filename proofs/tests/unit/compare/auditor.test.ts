import { describe, expect, test } from 'vitest';
import { auditCharges, auditCounts, type Evidence } from '../../../compare/auditor.ts';
import { clickDay } from '../../../compare/plan.ts';

const makeClick = (id: string, code: string) => ({ clickId: id, eventId: `event-${id}`, code });
const makeBody = (id: string) => JSON.stringify({ detail: { clickId: id } });
const makeLink = (code: string, clicks: number, count = clicks) => [
  { PK: `LINK#${code}`, SK: 'META', clicks },
  { PK: `LINK#${code}`, SK: `STAT#${clickDay}`, count },
];
const makeDocument = (code: string, id: string) => ({ PK: `LINK#${code}`, SK: `CLICK#${id}` });
const exact = { lost: 0, doubled: 0, deadLettered: 0 };

// Two clicks on one link, one on another.
const clicks = [makeClick('a', 'one'), makeClick('b', 'one'), makeClick('c', 'two')];
const evidence: Evidence = { clicks, uncountable: [], deadLetters: [] };
const exactItems = [...makeLink('one', 2), ...makeLink('two', 1)];

describe('the audit of counts', () => {
  test('reports exact counts as exact', () => {
    const findings = auditCounts(evidence, exactItems);

    expect(findings).toEqual({ ...exact, expected: 3, counted: 3 });
  });

  test('does not offset a lost click on one link against a doubled one on another', () => {
    const findings = auditCounts(evidence, [...makeLink('one', 1), ...makeLink('two', 2)]);

    expect(findings).toMatchObject({ counted: 3, lost: 1, doubled: 1 });
  });

  test('reports a click as lost if only its day misses it', () => {
    const findings = auditCounts(evidence, [...makeLink('one', 2, 1), ...makeLink('two', 1)]);

    expect(findings).toMatchObject({ ...exact, counted: 3, lost: 1 });
  });

  test('does not report a dead letter as lost', () => {
    const items = [...makeLink('one', 1), ...makeLink('two', 1)];

    const findings = auditCounts({ ...evidence, deadLetters: [makeBody('a')] }, items);

    expect(findings).toMatchObject({ ...exact, counted: 2, deadLettered: 1 });
  });

  test('reports the counts of an unknown link as doubled', () => {
    const uncountable = [{ body: makeBody('x'), click: makeClick('x', 'gone') }];
    const items = [...exactItems, ...makeLink('gone', 1)];

    const findings = auditCounts({ ...evidence, uncountable }, items);

    expect(findings).toMatchObject({ ...exact, doubled: 1 });
  });

  test('counts documents if there are any', () => {
    const items = [
      makeDocument('one', 'a'),
      makeDocument('one', 'b'),
      { PK: 'LINK#two', SK: 'META', clicks: 0 },
    ];

    expect(auditCounts(evidence, items)).toMatchObject({ ...exact, counted: 2, lost: 1 });
  });
});

describe('a message that is not a valid click', () => {
  const uncountable = [{ body: '{"id": "bad' }];

  test.each([
    ['is lost if it is nowhere', [], 1],
    ['is kept if it is a dead letter, byte for byte', ['{"id": "bad'], 0],
    ['is lost if its dead letter was altered', ['{"id":"bad'], 1],
  ])('%s', (_, deadLetters, lost) => {
    const findings = auditCounts({ ...evidence, uncountable, deadLetters }, exactItems);

    expect(findings).toMatchObject({ ...exact, lost });
  });
});

test('the audit of charges compares click by click', () => {
  const charges = new Map([
    ['a', 2],
    ['c', 1],
  ]);

  expect(auditCharges(evidence, charges)).toMatchObject({ counted: 3, lost: 1, doubled: 1 });
});
