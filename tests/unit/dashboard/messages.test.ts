import { expect, test } from 'vitest';
import { parseMessage } from '../../../dashboard/state/messages.ts';

test('a push is as the service sent it', () => {
  const push = {
    type: 'counts',
    links: [{ code: 'docs', clicks: 9, people: 2, bots: 1, days: [] }],
  };

  expect(parseMessage(JSON.stringify(push))).toEqual(push);
});

test.each(['click!', 'null', '{"type":"later"}'])('%j is ignored', (text) => {
  expect(parseMessage(text)).toBeUndefined();
});
