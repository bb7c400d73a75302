import { expect, onTestFinished, test, vi } from 'vitest';
import { createBoundedReads } from '../../../lib/overview/bounded-reads.ts';

test("a link's days are read again after a minute, however often they're asked for meanwhile", async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const readBounded = createBoundedReads<object>();
  const links = [{ code: 'spring', sums: { clicks: 1, people: 1, bots: 0 } }];
  const read = vi.fn(async () => ({}));
  const ask = () => readBounded(links, [], Number.POSITIVE_INFINITY, read);

  await ask();
  vi.setSystemTime(Date.now() + 40_000);
  await ask();
  expect(read).toHaveBeenCalledTimes(1);
  vi.setSystemTime(Date.now() + 40_000);
  await ask();
  expect(read).toHaveBeenCalledTimes(2);
});
