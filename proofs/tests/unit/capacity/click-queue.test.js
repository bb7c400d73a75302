import { expect, test } from 'vitest';
import { ClickQueue, tickMs } from '../../../capacity/click-queue.ts';
import { readStage } from '../../../capacity/stage.ts';
import { VirtualTime } from '../../../simulation/virtual-time.ts';
import { createRandom } from '../../../tools/random.ts';
test('five pollers share the clicks, and two of them at a time invoke the function', async () => {
    const time = new VirtualTime(0);
    const batches = [];
    const queue = new ClickQueue({
        settings: readStage({ batchWindowSeconds: 1 }),
        pollers: 5,
        time,
        random: createRandom(1, 'pollers'),
        invoke: (messages, end) => batches.push({ messages, end: () => end(new Set()) }),
    });
    for (let number = 0; number < 100; number += 1) {
        queue.arrive({ number, code: 'spring', clickId: `click-${number}`, queue: 0 });
    }
    const tickFor = async (ms) => {
        for (const endMs = time.nowMs + ms; time.nowMs < endMs;) {
            queue.tick();
            time.after(tickMs, () => { });
            const nextMs = time.nowMs + tickMs;
            await time.runUntil(() => time.nowMs >= nextMs);
        }
    };
    await tickFor(2000);
    // All windows have ended.
    expect(batches).toHaveLength(2);
    batches[0]?.end();
    batches[1]?.end();
    await tickFor(tickMs);
    expect(batches).toHaveLength(4);
    batches[2]?.end();
    await tickFor(tickMs);
    expect(batches.map(({ messages }) => messages.length)).toEqual([20, 20, 20, 20, 20]);
});
