import { describe, expect, test } from 'vitest';
import { breakdowns } from '../../../lib/clicks/breakdowns.ts';
import { hashClick } from '../../../lib/clicks/click.ts';
import { createClickIds } from '../../../lib/clicks/click-id.ts';
import { failed, useAggregator } from '../../helpers/aggregator.ts';
import { day, makeClick } from '../../helpers/clicks.ts';
import { marker } from '../../helpers/items.ts';

const run = useAggregator();
const hourSeconds = 3_600;

/** Ids of one resolver environment. */
const mintIds = (count: number, mint = createClickIds()) =>
  Array.from({ length: count }, () => mint('code').clickId);
const clicksOf = (code: string, ids: string[]) => ids.map((id) => makeClick(id, code));
const sheetKeyOf = (id = '') => `CLICKS#${id.split('.')[0]}`;

/** 1 day on the bus, 4 in the queue, 14 in the dead-letter queue and 4 in the queue again. */
function expectToOutlive(ttl: number, moreSeconds = 0) {
  const leftSeconds = ttl - Date.now() / 1_000;
  expect(leftSeconds).toBeGreaterThan(23 * 86_400 - 60);
  expect(leftSeconds).toBeLessThan(23 * 86_400 + moreSeconds + 60);
}

describe('a click counts once', () => {
  test('on its link and on its day, and its marker outlives every redelivery', async () => {
    const code = await run.createLink();

    expect(await run.deliver([makeClick('fixed-test-id-xyz', code)])).toEqual(failed());

    expect(await run.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
    const marker = await run.table.get('CLICK#fixed-test-id-xyz', 'CLICK');
    expect(marker).toMatchObject({ code, day, validation: hashClick({ code, day }) });
    expectToOutlive(marker?.ttl);
  });

  test('when its message is delivered again after a restart, without a log line', async () => {
    const code = await run.createLink();

    await run.deliver([makeClick('restart-1', code)]);
    await run.deliver([makeClick('restart-1', code)]);

    expect(await run.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
    // A metric of what didn't happen would cost money.
    expect(run.metrics()).toEqual([{ ClicksCounted: 1 }, { DuplicateClicks: 1 }]);
    expect(run.logged()).toEqual([]);
  });

  test("even if its id has an expired marker that TTL hasn't deleted yet", async () => {
    const code = await run.createLink();
    await run.table.put(marker('expired', code, day, Math.floor(Date.now() / 1000) - 1));

    await run.deliver([makeClick('expired', code)]);

    expect(await run.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
  });
});

describe('clicks with ids of one resolver environment', () => {
  test('are marked on a sheet that outlives every redelivery', async () => {
    const code = await run.createLink();
    const ids = mintIds(12);

    expect(await run.deliver(clicksOf(code, ids))).toEqual(failed());

    expect(await run.readLink(code)).toEqual({ clicks: 12, days: { [day]: 12 } });
    const { PK, SK, ttl, ...slots } = (await run.table.get(sheetKeyOf(ids[0]), 'CLICK')) ?? {};
    expect(Object.keys(slots)).toEqual(expect.arrayContaining(['a0', 'a9', 'b0', 'b1']));
    const hash = Buffer.from(hashClick({ code, day }), 'base64').subarray(0, 5);
    expect(Object.values(slots).map((slot) => Buffer.from(slot as Uint8Array))).toEqual(
      Array(12).fill(hash),
    );
    expectToOutlive(ttl, hourSeconds);
    expect(ttl % hourSeconds).toBe(0);
  });

  test('fill a sheet over several batches, and copies are duplicates, also beside an id without a slot', async () => {
    const code = await run.createLink();
    const ids = mintIds(60).with(30, 'an-id-without-a-slot');

    await run.deliver(clicksOf(code, ids.slice(0, 40)));
    await run.deliver(clicksOf(code, ids.slice(20)));

    expect(run.metrics()).toEqual([
      { ClicksCounted: 40 },
      { ClicksCounted: 20, DuplicateClicks: 20 },
    ]);
    expect(await run.readLink(code)).toEqual({ clicks: 60, days: { [day]: 60 } });
  });

  test('never move the expiry of their sheet back', async () => {
    const code = await run.createLink();
    const ids = mintIds(2);
    const later = { PK: sheetKeyOf(ids[0]), SK: 'CLICK', ttl: 4_000_000_000 };
    await run.table.put(later);

    expect(await run.deliver(clicksOf(code, ids))).toEqual(failed());

    expect(await run.table.get(later.PK, 'CLICK')).toMatchObject(later);
  });
});

describe('the breakdowns', () => {
  /** The numbers of a link's day, of which each breakdown has all clicks. */
  async function readDay(code: string): Promise<Record<string, number>> {
    const item = await run.table.get(`LINK#${code}`, `STAT#${day}`);
    const { PK: _PK, SK: _SK, ...numbers } = item ?? {};
    for (const { attributes } of breakdowns) {
      const values = Object.values(attributes).map((name) => numbers[name] ?? 0);
      expect(values.reduce((sum, value) => sum + value)).toBe(numbers.count);
    }
    return numbers;
  }

  test('get one from each click, and its link one if the visitor is known', async () => {
    const code = await run.createLink();
    const clicks = [
      { visitor: 'human', device: 'mobile', referrer: 'x', country: 'BR', network: 'hosting' },
      { visitor: 'bot', device: 'mobile', referrer: 'direct' },
      { visitor: 'human', at: '2026-05-26T23:59:59.999Z' },
      {},
      { visitor: 'human', at: '2026-05-25T10:00:00Z' },
    ].map((values, index) => makeClick(`${code}-${index}`, code, values));

    await run.deliver([...clicks, ...clicks.slice(0, 2)]);
    await run.deliver(clicks);

    expect(await readDay(code)).toEqual({
      count: 4,
      vh: 2,
      vb: 1,
      vu: 1,
      dm: 1,
      db: 1,
      du: 2,
      r14: 1,
      rb: 1,
      ru: 2,
      h10: 3,
      h23: 1,
      c4: 1,
      cw: 1,
      cu: 2,
      nh: 1,
      nu: 3,
    });
    const link = await run.table.get(`LINK#${code}`, 'META');
    expect(link).toMatchObject({ clicks: 5, vh: 3, vb: 1 });
  });
});
