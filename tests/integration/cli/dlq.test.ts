import { describe, expect, test } from 'vitest';
import { openSheet, placedClickId } from '../../../lib/clicks/placed-id.ts';
import { poisonMessage } from '../../../local/real-messages.ts';
import { makeClick } from '../../helpers/clicks.ts';
import { link, marker, sheet } from '../../helpers/items.ts';
import { manyLetters, sortedBodies, useOperatedStack } from '../../helpers/operator.ts';

const hourMs = 3_600_000;
const stack = useOperatedStack();

async function list(...args: string[]): Promise<(Record<string, unknown> & { body: string })[]> {
  return JSON.parse((await stack.run('dlq.ts', ['list', '--json', ...args])).stdout);
}

/** The value of `field` for each value of `name`. */
const pairUp = (letters: Record<string, unknown>[], name: string, field: string) =>
  Object.fromEntries(letters.map((letter) => [letter[name], letter[field]]));

describe('dlq list', () => {
  test("shows the aggregator's reason for each message", async () => {
    const [counted, changed] = [
      marker('counted', 'known', '2026-05-26'),
      marker('changed', 'known', '2026-05-27'),
    ];
    await stack.table.put(
      link('known'),
      counted,
      changed,
      marker('lapsed', 'known', '2026-05-26', 1),
    );
    const reasons = {
      [makeClick('fresh', 'known')]: 'countable',
      [makeClick('counted', 'known')]: 'id-counted',
      [makeClick('changed', 'known')]: 'changed-click',
      [makeClick('lapsed', 'known')]: 'countable',
      [makeClick('lost', 'nowhere')]: 'unknown-link',
      [poisonMessage('bad-event-1')]: 'invalid-click',
      'not JSON': 'invalid-click',
    };
    await stack.bury(Object.keys(reasons).map((body) => ({ body })));

    const letters = await list();

    expect(pairUp(letters, 'body', 'reason')).toEqual(reasons);
    expect(pairUp(letters, 'clickId', 'detail')).toMatchObject({
      counted:
        'a click with this id, link and day was already counted; a redrive would not count it again',
      'bad-event-1':
        'expected "detail.code" to be 4 to 32 letters, digits, "-" or "_"; got nothing',
    });
  });

  test('finds a marker on its sheet, even after the ttl', async () => {
    const sealed = openSheet();
    const idOf = (slot: number) => placedClickId(sealed, slot);
    const counted = { code: 'known', day: '2026-05-26' };
    const items = [counted, { ...counted, day: '2026-05-27' }];
    await stack.table.put(link('known'), sheet(sealed.id, items, 1));
    const reasons = {
      [idOf(0)]: 'id-counted',
      [idOf(1)]: 'changed-click',
      [idOf(2)]: 'countable',
      // A different spelling is a different id, without a place.
      [idOf(0).toUpperCase()]: 'countable',
    };
    await stack.bury([
      ...Object.keys(reasons).map((id) => ({ body: makeClick(id, 'known') })),
      { body: makeClick(idOf(3), 'nowhere') },
    ]);

    const letters = await list();

    expect(pairUp(letters, 'clickId', 'reason')).toEqual({ ...reasons, [idOf(3)]: 'unknown-link' });
    expect(pairUp(letters, 'clickId', 'detail')).toMatchObject({
      [idOf(0)]:
        "this id was already counted, for a link and day with this click's hash; a redrive would not count it again",
    });
  });

  test('prints JSON in which a message cannot control the terminal', async () => {
    const body = poisonMessage('a\u009b31m\u202e\u2028\u061cz');
    await stack.bury([{ body }]);

    const { stdout } = await stack.run('dlq.ts', ['list', '--json']);

    expect(stdout).toMatch(/^[\n\x20-\x7e]*$/);
    expect(JSON.parse(stdout)).toMatchObject([{ clickId: 'a\u009b31m\u202e\u2028\u061cz', body }]);
  });

  test('shows every message once and leaves all visible', async () => {
    const letters = manyLetters(45, 'nowhere');
    await stack.bury(letters);

    expect(sortedBodies(await list())).toEqual(sortedBodies(letters));
    expect(await stack.countVisible(stack.outputs.clickDlqUrl)).toBe(45);
  });

  test('filters by reason, code and age', async () => {
    await stack.table.put(link('known'));
    await stack.bury([
      { body: makeClick('young', 'known') },
      {
        body: makeClick('old', 'known'),
        attributes: { FirstSentTimestamp: `${Date.now() - 2 * hourMs}` },
      },
      { body: makeClick('lost', 'nowhere') },
    ]);

    const listIds = async (...args: string[]) =>
      (await list(...args)).map(({ clickId }) => clickId).toSorted();

    expect(await listIds('--reason', 'unknown-link')).toEqual(['lost']);
    expect(await listIds('--code', 'known')).toEqual(['old', 'young']);
    expect(await listIds('--older-than', '90m')).toEqual(['old']);
    expect(await listIds('--reason', 'invalid-click', 'changed-click')).toEqual([]);
  });
});

test('dlq purge deletes only confirmed messages of a named reason', async () => {
  const attributes = { FirstSentTimestamp: `${Date.now() - 26 * hourMs}` };
  const countable = makeClick('countable', 'known');
  await stack.table.put(link('known'));
  await stack.bury([
    { body: countable, attributes },
    { body: poisonMessage('old'), attributes },
    { body: poisonMessage('young') },
  ]);
  const purge = ['purge', '--older-than', '1d'];

  const unnamed = await stack.run('dlq.ts', [...purge, '--yes']);
  const unconfirmed = await stack.run('dlq.ts', [...purge, '--reason', 'invalid-click']);
  const left = await stack.countVisible(stack.outputs.clickDlqUrl);
  const { stdout } = await stack.run('dlq.ts', [...purge, '--reason', 'invalid-click', '--yes']);

  expect([unnamed, unconfirmed]).toEqual(
    [
      "required option '--reason <reason...>' not specified. Add --help to see the options.",
      'Delete 1 dead letter of the local stack at http://127.0.0.1:1 permanently (1 invalid-click)? ' +
        'There is no terminal to confirm on. Add --yes to delete.',
    ].map((line) => ({ code: 2, stdout: '', stderr: `error: ${line}\n` })),
  );
  expect(left).toBe(3);
  expect(stdout).toBe('Deleted 1 dead letter.\n');
  expect(await stack.drainBodies(stack.outputs.clickDlqUrl)).toEqual(
    [countable, poisonMessage('young')].toSorted(),
  );
});
