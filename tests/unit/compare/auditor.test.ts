import { describe, expect, test } from 'vitest';
import { auditCharges, auditCounts, type Evidence } from '../../../evidence/compare/auditor.ts';
import { clickDay, type Message } from '../../../evidence/compare/plan.ts';

const clickOf = (id: string, code: string) => ({ clickId: id, eventId: `event-${id}`, code });
const bodyOf = (id: string) => JSON.stringify({ detail: { clickId: id } });
const link = (code: string, clicks: number, count = clicks) => [
  { PK: `LINK#${code}`, SK: 'META', clicks },
  { PK: `LINK#${code}`, SK: `STAT#${clickDay}`, count },
];
const exact = { lost: 0, doubled: 0, deadLettered: 0 };

// Two clicks on one link, one on another.
const clicks = [clickOf('a', 'one'), clickOf('b', 'one'), clickOf('c', 'two')];
const evidence: Evidence = { clicks, uncountable: [], deadLetters: [] };

describe('counts', () => {
  test('that are right are exact', () => {
    const items = [...link('one', 2), ...link('two', 1)];
    expect(auditCounts(evidence, items)).toEqual({ ...exact, expected: 3, counted: 3 });
  });

  test('that are short on one link and over on another do not cancel each other out', () => {
    const items = [...link('one', 1), ...link('two', 2)];
    expect(auditCounts(evidence, items)).toMatchObject({ counted: 3, lost: 1, doubled: 1 });
  });

  test('that lack a day lack a click, though the sum is right', () => {
    const items = [...link('one', 2, 1), ...link('two', 1)];
    expect(auditCounts(evidence, items)).toMatchObject({ ...exact, counted: 3, lost: 1 });
  });

  test('that lack what the dead-letter queue keeps lose nothing', () => {
    const items = [...link('one', 1), ...link('two', 1)];
    const found = auditCounts({ ...evidence, deadLetters: [bodyOf('a')] }, items);
    expect(found).toMatchObject({ ...exact, counted: 2, deadLettered: 1 });
  });

  test('of a link that nobody made are clicks too many', () => {
    const uncountable: Message[] = [{ body: bodyOf('x'), click: clickOf('x', 'gone') }];
    const items = [...link('one', 2), ...link('two', 1), ...link('gone', 1)];
    expect(auditCounts({ ...evidence, uncountable }, items)).toMatchObject({
      ...exact,
      doubled: 1,
    });
  });

  test('may be derived from documents', () => {
    const document = (code: string, id: string) => ({ PK: `LINK#${code}`, SK: `CLICK#${id}` });
    const items = [
      document('one', 'a'),
      document('one', 'b'),
      { PK: 'LINK#two', SK: 'META', clicks: 0 },
    ];
    expect(auditCounts(evidence, items)).toMatchObject({ ...exact, counted: 2, lost: 1 });
  });
});

describe('a message that is no good click', () => {
  const uncountable: Message[] = [{ body: '{"id": "bad' }];
  const items = [...link('one', 2), ...link('two', 1)];

  test('is lost where it is nowhere', () => {
    expect(auditCounts({ ...evidence, uncountable }, items)).toMatchObject({ ...exact, lost: 1 });
  });

  test('is kept where it is in the dead-letter queue, byte for byte', () => {
    const kept = { ...evidence, uncountable, deadLetters: ['{"id": "bad'] };
    expect(auditCounts(kept, items)).toMatchObject(exact);
    const altered = { ...kept, deadLetters: ['{"id":"bad'] };
    expect(auditCounts(altered, items)).toMatchObject({ ...exact, lost: 1 });
  });
});

test('charges are judged click by click', () => {
  const charges = new Map([
    ['a', 2],
    ['c', 1],
  ]);
  expect(auditCharges(evidence, charges)).toMatchObject({ counted: 3, lost: 1, doubled: 1 });
});
