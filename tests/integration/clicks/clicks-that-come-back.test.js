import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { projectDir } from '../../../local/engines/serverless.ts';
import { useAggregator } from '../../helpers/aggregator.ts';
import { day, makeClicks } from '../../helpers/clicks.ts';
const dyingConsumer = path.join(projectDir, 'local/demo/dying-consumer.ts');
const dayMs = 24 * 60 * 60 * 1000;
const run = useAggregator();
afterEach(() => {
    vi.useRealTimers();
});
/** Delivers a batch to a new instance and counts the outcomes. */
async function deliver(bodies) {
    const response = await run.deliver(bodies);
    const { ClicksCounted: counted = 0, DuplicateClicks: duplicates = 0 } = run.metrics().at(-1) ?? {};
    return { counted, duplicates, failed: response?.batchItemFailures.length };
}
test('clicks count once if their instance is killed before or after its commit', async () => {
    const kill = async (moment) => {
        const code = await run.createLink(`killed-${moment}`);
        const bodies = makeClicks(5, code);
        const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB;
        const job = JSON.stringify({ endpoint, moment, bodies });
        const child = spawn(process.execPath, [dyingConsumer, job], { stdio: 'ignore' });
        expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
        return { code, bodies };
    };
    const [before, after] = await Promise.all([kill('before'), kill('after')]);
    expect(await run.readLink(before.code)).toMatchObject({ clicks: 0 });
    expect(await run.readLink(after.code)).toMatchObject({ clicks: 5 });
    expect(await deliver(before.bodies)).toEqual({ counted: 5, duplicates: 0, failed: 0 });
    expect(await deliver(after.bodies)).toEqual({ counted: 0, duplicates: 5, failed: 0 });
    for (const { code } of [before, after]) {
        expect(await run.readLink(code)).toEqual({ clicks: 5, days: { [day]: 5 } });
    }
});
test('after a redrive on day 13, a counted click is a duplicate, and the others count on their day', async () => {
    await run.createLink('redriven');
    const [counted = '', uncounted = ''] = makeClicks(2, 'redriven');
    const early = makeClicks(1, 'came-late');
    await deliver([counted]);
    expect(await deliver(early)).toEqual({ counted: 0, duplicates: 0, failed: 1 });
    await run.createLink('came-late');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 13 * dayMs });
    const outcome = await deliver([uncounted, counted, ...early]);
    expect(outcome).toEqual({ counted: 2, duplicates: 1, failed: 0 });
    expect(await run.readLink('redriven')).toEqual({ clicks: 2, days: { [day]: 2 } });
    expect(await run.readLink('came-late')).toEqual({ clicks: 1, days: { [day]: 1 } });
});
