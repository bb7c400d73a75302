import { describe, expect, test } from 'vitest';
import { openSheet, placedClickId } from '../../../lib/clicks/placed-id.ts';
import { poisonMessage } from '../../../local/real-messages.ts';
import { makeClick } from '../../helpers/clicks.ts';
import { link, marker, sheet } from '../../helpers/items.ts';
import { manyLetters, sortedBodies, useOperatedStack } from '../../helpers/operator.ts';

const hourMs = 3_600_000;
const stack = useOperatedStack();

describe('dlq list', () => {
  test("shows the aggregator's reason for each message", async () => {
    await stack.table.put(
      link('known'),
      marker('counted', 'known', '2026-05-26'),
      marker('changed', 'known', '2026-05-27'),
      marker('lapsed', 'known', '2026-05-26', 1),
    );
    await stack.bury([
      { body: makeClick('fresh', 'known') },
      { body: makeClick('counted', 'known') },
      { body: makeClick('changed', 'known') },
      { body: makeClick('lapsed', 'known') },
      { body: makeClick('lost', 'nowhere') },
      { body: poisonMessage('bad-event-1') },
      { body: 'not JSON' },
    ]);

    const { code, stdout } = await stack.run('dlq.ts', ['list', '--json']);

    const letters: Record<string, unknown>[] = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(Object.fromEntries(letters.map(({ body, reason }) => [body, reason]))).toEqual({
      [makeClick('fresh', 'known')]: 'countable',
      [makeClick('counted', 'known')]: 'id-counted',
      [makeClick('changed', 'known')]: 'changed-click',
      [makeClick('lapsed', 'known')]: 'countable',
      [makeClick('lost', 'nowhere')]: 'unknown-link',
      [poisonMessage('bad-event-1')]: 'invalid-click',
      'not JSON': 'invalid-click',
    });
    expect(letters.find(({ clickId }) => clickId === 'counted')).toMatchObject({
      detail:
        'a click with this id, link and day was already counted; a redrive would not count it again',
    });
    expect(letters.find(({ clickId }) => clickId === 'bad-event-1')).toMatchObject({
      attempts: 0,
      detail: 'expected "detail.code" to be 4 to 32 letters, digits, "-" or "_"; got nothing',
    });
  });

  test('finds a marker on its sheet, even after the ttl', async () => {
    const sealed = openSheet();
    const idOf = (slot: number) => placedClickId(sealed, slot);
    const counted = { code: 'known', day: '2026-05-26' };
    await stack.table.put(
      link('known'),
      sheet(sealed.id, [counted, { ...counted, day: '2026-05-27' }], 1),
    );
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

    const { stdout } = await stack.run('dlq.ts', ['list', '--json']);

    const letters: Record<string, string>[] = JSON.parse(stdout);
    const found = letters.map(({ clickId, reason }) => [clickId, reason]);
    expect(Object.fromEntries(found)).toEqual({
      ...reasons,
      [idOf(3)]: 'unknown-link',
    });
    expect(letters.find(({ reason }) => reason === 'id-counted')).toMatchObject({
      detail:
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

    const { stdout } = await stack.run('dlq.ts', ['list', '--json']);

    expect(sortedBodies(JSON.parse(stdout))).toEqual(sortedBodies(letters));
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

    const list = async (...args: string[]) => {
      const { stdout } = await stack.run('dlq.ts', ['list', '--json', ...args]);
      return JSON.parse(stdout).map(({ clickId }: { clickId: string }) => clickId);
    };

    expect(await list('--reason', 'unknown-link')).toEqual(['lost']);
    expect((await list('--code', 'known')).toSorted()).toEqual(['old', 'young']);
    expect(await list('--older-than', '90m')).toEqual(['old']);
    expect(await list('--reason', 'invalid-click', 'changed-click')).toEqual([]);
  });
});

describe('dlq purge', () => {
  const bury = () =>
    stack.bury([
      { body: poisonMessage('young') },
      {
        body: poisonMessage('old'),
        attributes: { FirstSentTimestamp: `${Date.now() - 26 * hourMs}` },
      },
    ]);

  const purge = ['purge', '--older-than', '1d', '--reason', 'invalid-click'];

  test('keeps messages that would count now unless --reason names them', async () => {
    const attributes = { FirstSentTimestamp: `${Date.now() - 26 * hourMs}` };
    const countable = makeClick('countable', 'known');
    await stack.table.put(link('known'));
    await stack.bury([
      { body: countable, attributes },
      { body: poisonMessage('old'), attributes },
      { body: poisonMessage('young') },
    ]);

    const unnamed = await stack.run('dlq.ts', ['purge', '--older-than', '1d', '--yes']);
    const named = await stack.run('dlq.ts', [...purge, '--yes']);

    expect(unnamed).toEqual({
      code: 2,
      stdout: '',
      stderr:
        "error: required option '--reason <reason...>' not specified. Add --help to see the options.\n",
    });
    expect(named.stdout).toBe('Deleted 1 dead letter.\n');
    expect(await stack.drainBodies(stack.outputs.clickDlqUrl)).toEqual(
      [countable, poisonMessage('young')].toSorted(),
    );
  });

  test('deletes nothing without confirmation', async () => {
    await bury();

    const { code, stderr } = await stack.run('dlq.ts', purge);

    expect(code).toBe(2);
    expect(stderr).toBe(
      'error: Delete 1 dead letter of the local stack at http://127.0.0.1:1 permanently (1 invalid-click)? ' +
        'There is no terminal to confirm on. Add --yes to delete.\n',
    );
    expect(await stack.countVisible(stack.outputs.clickDlqUrl)).toBe(2);
  });
});
