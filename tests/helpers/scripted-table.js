import { onTestFinished, vi } from 'vitest';
import { stubAwsEnvironment } from './aws-environment.ts';
import { answerJson, startScriptedService } from './scripted-service.ts';
/**
 * Starts a table that gives each answer once, in this order, and then empty ones. Use it for answers
 * that local engines never give. Functions that the test imports from now on use it. Returns its
 * requests.
 */
export async function startTableOfFunctions(...answers) {
    const { url, bodies } = await startScriptedService((response) => {
        const next = answers.shift();
        const answer = typeof next === 'function' ? next : answerJson(200, { ConsumedCapacity: {}, ...next });
        answer(response);
    });
    onTestFinished(() => {
        vi.unstubAllEnvs();
        vi.resetModules();
    });
    stubAwsEnvironment({ TABLE_NAME: 'clicks', AWS_ENDPOINT_URL_DYNAMODB: url });
    return bodies;
}
