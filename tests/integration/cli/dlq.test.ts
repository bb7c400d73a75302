import { expect, test } from 'vitest';
import { openSheet, placedClickId } from '../../../lib/clicks/placed-id.ts';
import { invalidMessage } from '../../../local/real-messages.ts';
import { makeClick, makeEnvelope, makeNested } from '../../helpers/clicks.ts';
import { link, marker, sheet } from '../../helpers/items.ts';
import { mistake, useOperatedStack } from '../../helpers/operator.ts';

const hourMs = 3_600_000;
const stack = useOperatedStack();
const ageOf = (hours: number) => ({ FirstSentTimestamp: `${Date.now() - hours * hourMs}` });

async function list(...args: string[]): Promise<(Record<string, unknown> & { body: string })[]> {
  const { stdout } = await stack.run('dlq.ts', ['list', '--json', ...args]);
  // A message can't control the terminal.
  expect(stdout).toMatch(/^[\n\x20-\x7e]*$/);
  return JSON.parse(stdout);
}

/** The value of `field` for each value of `name`. */
const pairUp = (deadLetters: Record<string, unknown>[], name: string, field: string) =>
  Object.fromEntries(deadLetters.map((deadLetter) => [deadLetter[name], deadLetter[field]]));

test("dlq list shows each message once, with the aggregator's reason, and leaves all visible", async () => {
  const sealed = openSheet();
  const idOf = (slot: number) => placedClickId(sealed, slot);
  const day = '2026-05-26';
  const same = { code: 'known', day };
  const otherDay = { code: 'known', day: '2026-05-27' };
  await stack.table.put(
    ...[link('known'), marker('counted', 'known', day), marker('changed', 'known', '2026-05-27')],
    { ...link('deleted'), deletedAt: '2026-05-26T09:00:00.000Z' },
    { ...link('renewed'), since: '2026-05-26T11:00:00.000Z' },
    { PK: 'LINK#purged', SK: 'META', purgedAt: '2026-05-26T11:00:00.000Z', since: '9999' },
    marker('lapsed', 'known', day, 1),
    // Even after its ttl, a sheet blocks its clicks.
    sheet(sealed.id, [same, otherDay], 1),
  );
  const reasons = {
    [makeClick('fresh', 'known')]: 'countable',
    [makeClick('counted', 'known')]: 'id-counted',
    [makeClick('changed', 'known')]: 'changed-click',
    [makeClick('lapsed', 'known')]: 'countable',
    [makeClick('lost', 'nowhere')]: 'unknown-link',
    [makeClick('after', 'deleted')]: 'deleted-link',
    [makeClick('before', 'renewed')]: 'deleted-link',
    [makeClick('gone', 'purged')]: 'deleted-link',
    [makeClick(idOf(0), 'known')]: 'id-counted',
    [makeClick(idOf(1), 'known')]: 'changed-click',
    [makeClick(idOf(2), 'known')]: 'countable',
    // A different spelling is a different id, without a place.
    [makeClick(idOf(0).toUpperCase(), 'known')]: 'countable',
    [makeClick(idOf(3), 'nowhere')]: 'unknown-link',
    [invalidMessage('bad-event-1')]: 'invalid-click',
    [invalidMessage('a\u009b31m\u202e\u2028\u061cz')]: 'invalid-click',
    'not JSON': 'invalid-click',
  };
  await stack.bury(Object.keys(reasons).map((body) => ({ body })));

  const deadLetters = await list();

  expect(deadLetters).toHaveLength(16);
  expect(await stack.countVisible(stack.outputs.clickDlqUrl)).toBe(16);
  expect(pairUp(deadLetters, 'body', 'reason')).toEqual(reasons);
});

test('dlq list sums up the clicks of an envelope, and purge deletes none that holds a countable one', async () => {
  const [fresh, other, counted] = makeNested(3, 'known');
  const lost = { ...fresh, clickId: 'lost', code: 'nowhere' };
  await stack.table.put(link('known'), marker('known-2', 'known', '2026-05-26'));
  const [mixed, failing, settled, broken] = [
    makeEnvelope([fresh, counted, lost, other]),
    makeEnvelope([counted, lost, { code: 'known' }]),
    makeEnvelope([counted]),
    makeEnvelope([]),
  ] as const;
  await stack.bury(
    [mixed, failing, settled, broken].map((body) => ({ body, attributes: ageOf(2) })),
  );

  const deadLetters = await list();
  const ofLink = await list('--code', 'known');
  await stack.run('dlq.ts', [
    ...['purge', '--older-than', '1h', '--code', 'known', '--yes'],
    ...['--reason', 'countable', 'unknown-link', 'id-counted'],
  ]);

  expect(pairUp(deadLetters, 'body', 'detail')).toEqual({
    [mixed]: 'an envelope of 4: 2 countable, 1 unknown-link, 1 id-counted',
    [failing]: 'an envelope of 3: 1 invalid-click, 1 unknown-link, 1 id-counted',
    [settled]: 'an envelope of 1: 1 id-counted',
    [broken]: 'expected "detail.clicks" to be a list of 1 to 500 clicks; got []',
  });
  expect(pairUp(deadLetters, 'body', 'reason')).toMatchObject({
    [mixed]: 'countable',
    [failing]: 'invalid-click',
    [settled]: 'id-counted',
  });
  const clicks = deadLetters.find(({ body }) => body === mixed)?.clicks;
  expect(clicks).toMatchObject([
    { clickId: 'known-0', code: 'known', reason: 'countable' },
    {},
    {},
    {},
  ]);
  // An envelope has a code only if all of its clicks have it.
  expect(ofLink.map(({ body }) => body)).toEqual([settled]);
  expect(await stack.drainBodies(stack.outputs.clickDlqUrl)).toEqual(
    [mixed, failing, broken].toSorted(),
  );
});

test('dlq list and purge select by reason and age, and purge deletes only what is confirmed', async () => {
  const countable = makeClick('countable', 'known');
  await stack.table.put(link('known'));
  await stack.bury([
    { body: countable, attributes: ageOf(26) },
    { body: invalidMessage('old'), attributes: ageOf(26) },
    { body: invalidMessage('young') },
  ]);
  const purge = (...args: string[]) =>
    stack.run('dlq.ts', ['purge', '--older-than', '1d', ...args]);

  const listed = await list('--reason', 'invalid-click', 'changed-click', '--older-than', '1d');
  const rejected = [await purge('--yes'), await purge('--reason', 'invalid-click')];
  const left = await stack.countVisible(stack.outputs.clickDlqUrl);
  const { stdout } = await purge('--reason', 'invalid-click', '--yes');

  expect(rejected).toEqual([
    mistake("required option '--reason <reason...>' not specified. Add --help to see the options."),
    mistake(
      'Delete 1 dead letter of the local stack at http://127.0.0.1:1 permanently (1 invalid-click)? There is no terminal to confirm on. Add --yes to delete.',
    ),
  ]);
  expect(listed.map(({ body }) => body)).toEqual([invalidMessage('old')]);
  expect(left).toBe(3);
  expect(stdout).toBe('Deleted 1 dead letter.\n');
  expect(await stack.drainBodies(stack.outputs.clickDlqUrl)).toEqual(
    [countable, invalidMessage('young')].toSorted(),
  );
});
