import { describe, expect, test } from 'vitest';
import { hashClick } from '../../../lib/clicks/click.ts';
import { createClickIds } from '../../../lib/clicks/click-id.ts';
import { failed, useAggregator } from '../../helpers/aggregator.ts';
import { day, makeClick } from '../../helpers/clicks.ts';

const run = useAggregator();
const hourSeconds = 3_600;

const mintIds = (count: number, mint = createClickIds()) =>
  Array.from({ length: count }, () => mint('code').clickId);
const clicksOf = (code: string, ids: string[]) => ids.map((id) => makeClick(id, code));
const sheetKeyOf = (id = '') => `CLICKS#${id.split('.')[0]}`;

describe('clicks with ids of one resolver environment', () => {
  test('are marked on a sheet that outlives every redelivery', async () => {
    const code = await run.stack.createLink();
    const ids = mintIds(12);

    expect(await run.stack.deliver(clicksOf(code, ids))).toEqual(failed());

    expect(await run.stack.readLink(code)).toEqual({ clicks: 12, days: { [day]: 12 } });
    const { PK, SK, ttl, ...slots } = (await run.stack.get(sheetKeyOf(ids[0]), 'CLICK')) ?? {};
    expect(Object.keys(slots)).toEqual(expect.arrayContaining(['a0', 'a9', 'b0', 'b1']));
    const hash = Buffer.from(hashClick({ code, day }), 'base64').subarray(0, 5);
    expect(Object.values(slots).map((slot) => Buffer.from(slot as Uint8Array))).toEqual(
      Array(12).fill(hash),
    );
    // 1 day on the bus, 4 in the queue, 14 in the dead-letter queue and 4 in the queue again.
    const leftSeconds = ttl - Date.now() / 1000;
    expect(leftSeconds).toBeGreaterThan(23 * 86_400 - 60);
    expect(leftSeconds).toBeLessThan(23 * 86_400 + hourSeconds + 60);
    expect(ttl % hourSeconds).toBe(0);
  });

  test('fill a sheet over several batches, and copies are duplicates, also beside an id without a slot', async () => {
    const code = await run.stack.createLink();
    const ids = mintIds(60).with(30, 'fixed-test-id-xyz');

    await run.stack.deliver(clicksOf(code, ids.slice(0, 40)));
    await run.stack.deliver(clicksOf(code, ids.slice(20)));

    expect(run.metrics()).toMatchObject([
      { ClicksCounted: 40, DuplicateClicks: 0 },
      { ClicksCounted: 20, DuplicateClicks: 20 },
    ]);
    expect(await run.stack.readLink(code)).toEqual({ clicks: 60, days: { [day]: 60 } });
  });
});

test.each(['was used for another link in the same batch', 'was used for another link before'])(
  'a click fails alone if its id %s',
  async (when) => {
    const [code, other] = [await run.stack.createLink(), await run.stack.createLink()];
    const ids = mintIds(3);
    const changed = makeClick(ids[1] ?? '', other);
    const first = clicksOf(code, ids);

    const responses =
      when === 'was used for another link before'
        ? [await run.stack.deliver(first), await run.stack.deliver([changed])]
        : [await run.stack.deliver([...first, changed])];

    expect(responses.at(-1)).toEqual(
      when === 'was used for another link before' ? failed(0) : failed(3),
    );
    expect(run.failures()).toMatchObject([{ clickId: ids[1], reason: 'changed-click' }]);
    expect(await run.stack.readLink(code)).toEqual({ clicks: 3, days: { [day]: 3 } });
    expect(await run.stack.readLink(other)).toEqual({ clicks: 0, days: {} });
  },
);

test("a sheet's expiry never moves back", async () => {
  const code = await run.stack.createLink();
  const [first = '', second = ''] = mintIds(2);
  const farSeconds = 4_000_000_000;
  await run.stack.put({ PK: sheetKeyOf(first), SK: 'CLICK', ttl: farSeconds });

  expect(await run.stack.deliver(clicksOf(code, [first, second]))).toEqual(failed());

  expect(await run.stack.get(sheetKeyOf(first), 'CLICK')).toMatchObject({ ttl: farSeconds });
  expect(await run.stack.readLink(code)).toEqual({ clicks: 2, days: { [day]: 2 } });
});
