import { describe, expect, test } from 'vitest';
import { hashClick } from '../../../lib/clicks/click.ts';
import { failed, useAggregator } from '../../helpers/aggregator.ts';
import { day, makeClick } from '../../helpers/clicks.ts';
import { link, marker } from '../../helpers/items.ts';

const run = useAggregator();

describe('a click counts once', () => {
  test('on its link and on its day, and its marker outlives every redelivery', async () => {
    const code = await run.stack.createLink();

    expect(await run.stack.deliver([makeClick('fixed-test-id-xyz', code)])).toEqual(failed());

    expect(await run.stack.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
    const marker = await run.stack.get('CLICK#fixed-test-id-xyz', 'CLICK');
    expect(marker).toMatchObject({ code, day, validation: hashClick({ code, day }) });
    // 1 day on the bus, 4 in the queue, 14 in the dead-letter queue and 4 in the queue again.
    const leftSeconds = marker?.ttl - Date.now() / 1000;
    expect(leftSeconds).toBeGreaterThan(23 * 86_400 - 60);
    expect(leftSeconds).toBeLessThan(23 * 86_400 + 60);
  });

  test('when its message is delivered again after a restart, without a log line', async () => {
    const code = await run.stack.createLink();

    await run.stack.deliver([makeClick('restart-1', code)]);
    await run.stack.deliver([makeClick('restart-1', code)]);

    expect(await run.stack.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
    expect(run.metrics()).toEqual([
      { ClicksCounted: 1, DuplicateClicks: 0, FailedClicks: 0, DeadLetters: 0 },
      { ClicksCounted: 0, DuplicateClicks: 1, FailedClicks: 0, DeadLetters: 0 },
    ]);
    expect(run.logged()).toEqual([]);
  });

  test('even if its link has been disabled', async () => {
    const disabled = { ...link('disabled'), disabled: true, disabledBy: 'owner' };
    await run.stack.put(disabled);

    await run.stack.deliver([makeClick('late', 'disabled')]);

    expect(await run.stack.get('LINK#disabled', 'META')).toEqual({ ...disabled, clicks: 1 });
  });

  test("even if its id has an expired marker that TTL hasn't deleted yet", async () => {
    const code = await run.stack.createLink();
    await run.stack.put(marker('expired', code, day, Math.floor(Date.now() / 1000) - 1));

    await run.stack.deliver([makeClick('expired', code)]);

    expect(await run.stack.readLink(code)).toEqual({ clicks: 1, days: { [day]: 1 } });
  });
});
