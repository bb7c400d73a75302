import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { localClientConfig } from '../../loopback/local-aws.ts';
import { createCellTable } from '../compare/cell-table.ts';
import { percentile } from '../tools/percentile.ts';
import { approachNames, createRunner, isExact, runBatch } from './runner.ts';
/** How long each approach runs in each round. It finishes its last batch. */
const runMs = 120;
const warmUpMs = 250;
/** Measures all approaches in each scenario. The functions' variables must be set. */
export async function measure({ scenarios, rounds, endpoint, template, hasLatencies }, onRound) {
    const client = new DynamoDBClient(localClientConfig(endpoint));
    const measurements = [];
    for (const scenario of scenarios) {
        const kind = hasLatencies ? 'aws' : 'engine';
        const tableName = `bench-${kind}-${scenario.links}-${scenario.batch}`;
        process.env.TABLE_NAME = tableName;
        const codes = approachNames.map((_, index) => Array.from({ length: scenario.links }, (_, link) => `link-${index}-${link}`));
        const table = await createCellTable(client, template, tableName, codes.flat());
        const runners = [];
        for (const [index, name] of approachNames.entries()) {
            const options = { endpoint, tableName, codes: codes[index] ?? [], hasLatencies };
            const runner = await createRunner(name, options);
            runners.push(runner);
            await runBatches(runner, scenario, hasLatencies ? 0 : warmUpMs);
        }
        for (let round = 0; round < rounds; round++) {
            const start = round % runners.length;
            const inTurn = [...runners.slice(start), ...runners.slice(0, start)];
            for (const runner of inTurn)
                await measureRound(runner, scenario);
            onRound();
        }
        const items = await table.readAll();
        measurements.push(...runners.map((runner) => summarize(runner, scenario, items)));
        await table.remove();
    }
    return measurements;
}
async function measureRound(runner, scenario) {
    const batchMs = await runBatches(runner, scenario, runMs);
    runner.batchMs.push(...batchMs);
    const tookMs = batchMs.reduce((sum, ms) => sum + ms, 0);
    runner.clicksPerSecond.push((batchMs.length * scenario.batch * 1000) / tookMs);
}
/** Runs batches for `forMs` milliseconds and returns the milliseconds that each took. */
async function runBatches(runner, { batch }, forMs) {
    const batchMs = [];
    for (const endMs = performance.now() + forMs; performance.now() < endMs;) {
        batchMs.push(await runBatch(runner, batch));
    }
    return batchMs;
}
function summarize(runner, scenario, items) {
    const { approach, meter, sentIds, batchMs, clicksPerSecond } = runner;
    return {
        approach,
        ...scenario,
        /** From the engine's own ConsumedCapacity. */
        writeUnitsPerClick: meter.writeUnits / sentIds.length,
        requestsPerClick: meter.requests / sentIds.length,
        clicksPerSecond: percentile(clicksPerSecond, 0.5),
        /** Milliseconds for one batch. */
        p50Ms: percentile(batchMs, 0.5),
        exact: isExact(runner, items),
    };
}
