import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack } from '../../helpers/test-stack.ts';

// Generous, because two Regions may get only a small share of two cores.
const wait = { timeout: 180_000, interval: 200 };
let stack: Awaited<ReturnType<typeof startTestStack>>;

beforeAll(async () => {
  // On a busy machine, a click may need more attempts than usual.
  const params = { visibilityTimeoutSeconds: 10, maxReceiveCount: 10 };
  stack = await startTestStack({ hasStandby: true, params });
  return stack.stop;
});
afterAll(() => stack.home?.bringBack());

const status = async (code: string, method = 'GET') =>
  (await fetch(`${stack.outputs.api}/${code}`, { method, redirect: 'manual' })).status;
const inStandby = async (code: string) =>
  (await fetch(`${stack.outputs.standby?.api}/${code}`, { redirect: 'manual' })).status;

test('while the home Region is gone, its links redirect, and their clicks count once it is back', async () => {
  const code = await stack.createLink();
  await expect.poll(() => inStandby(code), wait).toBe(302);
  expect(await status(code)).toBe(302);
  await expect.poll(() => stack.readStats(code), wait).toMatchObject({ clicks: 2 });

  stack.home?.takeAway();
  for (const _ of [1, 2, 3]) expect(await status(code)).toBe(302);
  expect(await status(code, 'HEAD')).toBe(302);
  expect(await status('links', 'POST')).toBe(504);
  expect(await status('links')).toBe(504);
  stack.home?.bringBack();

  await expect.poll(() => stack.readStats(code), wait).toMatchObject({ clicks: 5 });
  await expect.poll(stack.countWaiting, wait).toBe(0);
  expect(await stack.readStats(code)).toMatchObject({ clicks: 5 });
  expect(await stack.createLink()).not.toBe(code);
});
