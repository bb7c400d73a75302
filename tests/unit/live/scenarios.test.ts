import { describe, expect, test, vi } from 'vitest';
import { InvalidClickError, parseClick } from '../../../lib/clicks/click.ts';
import { buildMessages } from '../../../lib/live/scenarios.ts';

const run = '019ab3c4-d5e6-7f80-9a1b-2c3d4e5f6071';
const request = {
  ...{ run, code: 'docs', at: new Date('2026-11-22T07:00:00.000Z') },
  visit: { headers: {}, isBot: false, platform: 'mobile', referrer: 'own' },
};
const detail = {
  ...{ clickId: `${run}-1`, code: 'docs', at: '2026-11-22T07:00:00.000Z' },
  ...{ visitor: 'human', device: 'mobile', referrer: 'own', country: 'unknown' },
};

describe('the scenario', () => {
  test('one is a click with the details of a visit', async () => {
    // A mutant in module-level code only shows in a test that loads the module.
    vi.resetModules();
    const { buildMessages } = await import('../../../lib/live/scenarios.ts');

    expect(buildMessages('one', request)).toMatchObject({ details: [detail], clicks: 1 });
  });

  test('hundred is a hundred clicks, and every tenth is sent twice', () => {
    const { details, clicks } = buildMessages('hundred', request);

    const numbers = details.map(({ clickId }) => Number(clickId.slice(`${run}-`.length)));
    const counts = Map.groupBy(numbers, (number) => number);
    const twice = [...counts].filter(([, all]) => all.length === 2).map(([number]) => number);
    expect([clicks, details.length, counts.size]).toEqual([100, 110, 100]);
    expect([Math.min(...numbers), Math.max(...numbers)]).toEqual([1, 100]);
    expect(twice).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
  });

  test('broken is a message that the aggregator rejects with the given reason', () => {
    const { details, clicks, reason } = buildMessages('broken', request);

    expect(details).toMatchObject([{ ...detail, at: '2026-11-22T07:00:00.000' }]);
    expect([clicks, reason]).toEqual([
      0,
      'expected detail.at to be an ISO 8601 instant with a zone, such as 2026-05-26T10:00:00Z; ' +
        'got "2026-11-22T07:00:00.000"',
    ]);
    const body = JSON.stringify({ id: 'event-1', detail: details[0] });
    expect(() => parseClick(body)).toThrow(new InvalidClickError(`${reason}`));
  });

  test.each(['one', 'twice', 'hundred'] as const)(
    '%s has only messages that the aggregator accepts',
    (scenario) => {
      for (const detail of buildMessages(scenario, request).details) {
        const body = JSON.stringify({ id: 'event-1', detail });
        expect(parseClick(body)).toMatchObject({ code: 'docs', day: '2026-11-22' });
      }
    },
  );
});
