import { expect, test } from 'vitest';
import { createMissedPushes } from '../../../dashboard/state/missed-pushes.ts';

type Pushes = ReturnType<typeof createMissedPushes>;
type Step = [atMs: number, happen: (pushes: Pushes) => void];

const isRead: Step = [0, (pushes) => pushes.sawRead('docs', 12)];
const isNoticed: Step = [5_000, (pushes) => pushes.isMissing()];
const asks = (...codes: string[]): Step => [0, (pushes) => pushes.sawRequest(new Set(codes))];
const answersAt = (ms: number): Step => [ms, (pushes) => pushes.sawMessage()];
const forgets: Step = [0, (pushes) => pushes.forget()];
const isPushedAt = (ms: number, clicks: number): Step => [ms, (all) => all.sawPush('docs', clicks)];

/** Whether a push is missing at an instant after these steps. The link is watched, with 10 clicks. */
function isMissing(steps: Step[], atMs: number): boolean {
  let nowMs = 0;
  const pushes = createMissedPushes(() => nowMs);
  pushes.sawWatching('docs', 10);
  for (const [ms, happen] of steps) {
    nowMs = ms;
    happen(pushes);
  }
  nowMs = atMs;
  return pushes.isMissing();
}

test.each<[string, boolean, Step[], number]>([
  ['follows its read within five seconds', false, [isRead, isPushedAt(4_000, 12)], 60_000],
  ['may still follow its read within five seconds', false, [isRead], 4_999],
  ['takes more than five seconds', true, [isRead], 5_000],
  ['is followed by another', false, [isRead, isNoticed, isPushedAt(5_000, 13)], 5_000],
  ['was missed half a minute ago', false, [isRead, isNoticed], 35_000],
  ["is of a link that's no longer watched", false, [asks('other'), isRead], 5_000],
  ["was read before the link wasn't watched any more", false, [isRead, asks('other')], 5_000],
  ['belonged to an earlier connection', false, [isRead, forgets], 5_000],
  ['needs an answer that takes more than five seconds', true, [forgets, asks('docs')], 5_001],
  ['was asked for over an earlier connection', false, [asks('docs'), forgets], 5_001],
  ['needs an answer that came late', false, [forgets, asks('docs'), answersAt(5_001)], 5_001],
])('a push that %s is missed: %j', (_, isExpected, steps, atMs) => {
  expect(isMissing(steps, atMs)).toBe(isExpected);
});
