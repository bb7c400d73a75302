import { readSettings } from '../simulation/stage-settings.ts';
/** prod's settings, with changes. */
export function readStage(tuning = {}) {
    const settings = readSettings().find(({ stage }) => stage === 'prod');
    if (!settings)
        throw new Error('expected serverless.yml to have the stage prod; it does not');
    const { aggregatorMemoryMb, batchWindowSeconds, pushBatchWindowSeconds } = tuning;
    return {
        ...settings,
        memoryMb: aggregatorMemoryMb ?? settings.memoryMb,
        batchWindowMs: toMs(batchWindowSeconds) ?? settings.batchWindowMs,
        billing: tuning.billing ?? settings.billing,
        clickQueues: tuning.clickQueues ?? settings.clickQueues,
        clicksVia: tuning.clicksVia ?? settings.clicksVia,
        pushBatchWindowMs: toMs(pushBatchWindowSeconds) ?? settings.pushBatchWindowMs,
    };
}
const toMs = (seconds) => seconds && seconds * 1000;
