import { describe, expect, test } from 'vitest';
import { parseMessage } from '../../../dashboard/state/messages.ts';

const day = (changes: object) => ({
  ...{ date: '2026-11-22', count: 4, bots: 1 },
  breakdowns: { visitor: [{ name: 'bot', count: 1 }] },
  ...changes,
});
const push = (changes: object) => ({
  type: 'counts',
  links: [{ code: 'docs', clicks: 9, days: [day(changes)] }],
});
const parse = (message: unknown) => parseMessage(JSON.stringify(message));

describe('a push', () => {
  test('is as the service sent it', () => {
    expect(parse(push({ people: 2 }))).toEqual(push({ people: 2 }));
  });

  test.each([
    [{ visitor: [{ name: 'human', count: 3 }] }, 3],
    [{ visitor: [{ name: 'unknown', count: 4 }] }, 0],
    [{}, 0],
  ])('from an older service has the people of its breakdowns %j: %j', (breakdowns, people) => {
    expect(parse(push({ breakdowns }))).toEqual(push({ breakdowns, people }));
  });
});

test.each(['click!', 'null', '{"type":"later"}'])('%j is ignored', (text) => {
  expect(parseMessage(text)).toBeUndefined();
});
