import { expect, test } from 'vitest';
import { createMissedPushes } from '../../../dashboard/state/missed-pushes.ts';
const isRead = [0, (pushes) => pushes.sawRead('docs', 12)];
const isNoticed = [5000, (pushes) => pushes.isMissing()];
const asks = (...codes) => [0, (pushes) => pushes.sawRequest(new Set(codes))];
const answersAt = (ms) => [ms, (pushes) => pushes.sawMessage()];
const forgets = [0, (pushes) => pushes.forget()];
const isPushedAt = (ms, clicks) => [ms, (all) => all.sawPush('docs', clicks)];
/** Whether a push is missing at an instant after these steps. The link is watched, with 10 clicks. */
function isMissing(steps, atMs) {
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
test.each([
    ['follows its read within five seconds', false, [isRead, isPushedAt(4000, 12)], 60000],
    ['may still follow its read within five seconds', false, [isRead], 4999],
    ['takes more than five seconds', true, [isRead], 5000],
    ['is followed by another', false, [isRead, isNoticed, isPushedAt(5000, 13)], 5000],
    ['was missed half a minute ago', false, [isRead, isNoticed], 35000],
    ["is of a link that's no longer watched", false, [asks('other'), isRead], 5000],
    ["was read before the link wasn't watched any more", false, [isRead, asks('other')], 5000],
    ['belonged to an earlier connection', false, [isRead, forgets], 5000],
    ['needs an answer that takes more than five seconds', true, [forgets, asks('docs')], 5001],
    ['was asked for over an earlier connection', false, [asks('docs'), forgets], 5001],
    ['needs an answer that came late', false, [forgets, asks('docs'), answersAt(5001)], 5001],
])('a push that %s is missed: %j', (_, isExpected, steps, atMs) => {
    expect(isMissing(steps, atMs)).toBe(isExpected);
});
