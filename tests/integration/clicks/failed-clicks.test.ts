import { describe, expect, test } from 'vitest';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import { createClickIds } from '../../../lib/clicks/click-id.ts';
import { failed, useAggregator } from '../../helpers/aggregator.ts';
import { at, day, makeClick, makeClicks } from '../../helpers/clicks.ts';
import { link } from '../../helpers/items.ts';

const run = useAggregator();

const lastAttempt = { ApproximateReceiveCount: '3' };

describe('a message that cannot be counted fails alone', () => {
  test.each<[string, object, attempt: number | undefined, letters: object]>([
    ['a receive count', { attributes: {} }, undefined, {}],
    ['a code', { body: '{"id":"bad","detail":{"at":"2026-05-25T10:00:00Z"}}' }, 1, {}],
    ['JSON, for the last time', { body: '', attributes: lastAttempt }, 3, { DeadLetters: 1 }],
  ])('if it comes without %s', async (_, change, attempt, letters) => {
    const code = await run.createLink();
    const { Records } = makeBatch(makeClicks(3, code));
    Object.assign(Records[1] ?? {}, change);

    const response = await run.deliverEvent({ Records });

    expect(response).toEqual(failed(1));
    expect(await run.readLink(code)).toEqual({ clicks: 2, days: { [day]: 2 } });
    const failure = { messageId: 'message-1', reason: 'invalid-click', level: 'ERROR' };
    const detail = expect.stringMatching(/^expected/);
    expect(run.failures()).toMatchObject([{ ...failure, detail }]);
    expect(run.failures()[0]?.attempt).toBe(attempt);
    expect(run.metrics()).toEqual([{ ClicksCounted: 2, FailedClicks: 1, ...letters }]);
  });

  test('without any of its content in the log', async () => {
    const secret = 'anna@example.com';
    const invalid = [
      ...[secret, JSON.stringify([secret])],
      JSON.stringify({ id: secret, detail: { code: secret, at: secret, clickId: secret } }),
      JSON.stringify({ id: secret, detail: { code: 'spring', at: day, [secret]: secret } }),
    ];

    const response = await run.deliver(invalid);

    expect(response).toEqual(failed(0, 1, 2, 3));
    expect(run.failures()).toHaveLength(invalid.length);
    expect(JSON.stringify(run.failures())).not.toContain('anna');
  });

  test('if its link is unknown, and creates no item', async () => {
    const response = await run.deliver([makeClick('lost-1', 'nowhere')]);

    expect(response).toEqual(failed(0));
    expect(await run.readLink('nowhere')).toEqual({ clicks: undefined, days: {} });
    expect(await run.table.get('CLICK#lost-1', 'CLICK')).toBeUndefined();
    expect(run.failures()).toMatchObject([
      { clickId: 'lost-1', code: 'nowhere', reason: 'unknown-link' },
    ]);
  });

  test('if its link was deleted before it, or got its code after it, and earlier and later ones count', async () => {
    const gone = link('gone');
    const renewed = link('renewed');
    await run.table.put({ ...gone, deletedAt: at }, { ...renewed, since: at });
    const clickAt = (code: string, time: string) =>
      makeClick(`${code} ${time}`, code, { at: time });
    const times = ['2026-05-26T09:59:59Z', '2026-05-26T10:01:00Z', '2026-05-26T10:01:01Z'];

    const response = await run.deliver(
      ['gone', 'renewed'].flatMap((code) => times.map((time) => clickAt(code, time))),
    );

    expect(response).toEqual(failed(2, 3));
    expect(await run.readLink('gone')).toEqual({ clicks: 2, days: { [day]: 2 } });
    expect(await run.readLink('renewed')).toEqual({ clicks: 2, days: { [day]: 2 } });
    expect(run.failures()).toMatchObject([
      { code: 'gone', reason: 'deleted-link' },
      { code: 'renewed', reason: 'deleted-link' },
    ]);
  });

  test.each([
    ['first', ['2026-05-26T10:02:00Z', '2026-05-26T09:59:59Z']],
    ['last', ['2026-05-26T09:59:59Z', '2026-05-26T10:02:00Z']],
  ])('but not if another copy in its batch counts, and it comes %s', async (place, times) => {
    const gone = link(`copies-${place}`);
    const code = gone.PK.slice('LINK#'.length);
    await run.table.put({ ...gone, deletedAt: at });

    const response = await run.deliver(times.map((time) => makeClick(code, code, { at: time })));

    expect(response).toEqual(failed());
    expect(await run.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
    expect(run.metrics()).toMatchObject([{ ClicksCounted: 1, DuplicateClicks: 1 }]);
  });

  test.each([
    ['a marker of its own', 'changed', { at: '2026-05-25T10:00:00Z' }],
    ['a slot of a sheet', createClickIds()('code').clickId, { code: 'other' }],
  ])('if its id with %s was used for another click', async (_, id, change) => {
    const code = await run.createLink();
    const other = await run.createLink('other');

    await run.deliver([makeClick(id, code)]);
    const response = await run.deliver([makeClick(id, code, change)]);

    expect(response).toEqual(failed(0));
    expect(run.failures()).toMatchObject([{ clickId: id, reason: 'changed-click' }]);
    expect(await run.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
    expect(await run.readLink(other)).toEqual({ clicks: 0, days: {} });
  });
});
