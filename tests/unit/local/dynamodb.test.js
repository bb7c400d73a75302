import { expect, onTestFinished, test, vi } from 'vitest';
import { findProblem, startDynamoDb } from '../../../local/engines/dynamodb.ts';
const hasDynoxide = process.platform === 'linux' && !findProblem('dynoxide');
// It accepts every origin, so a website that found its port could read and write the table.
test.runIf(hasDynoxide)('dynoxide does not listen on the address that a website would try', async () => {
    vi.stubEnv('DYNAMODB_ENDPOINT', '');
    const { endpoint, stop } = await startDynamoDb({ engine: 'dynoxide' });
    onTestFinished(async () => {
        vi.unstubAllEnvs();
        await stop();
    });
    const guesses = ['127.0.0.1', 'localhost', '[::1]'].map((host) => {
        return fetch(`http://${host}:${new URL(endpoint).port}`);
    });
    const answers = await Promise.allSettled(guesses);
    expect(answers.map(({ status }) => status)).toEqual(guesses.map(() => 'rejected'));
    expect((await fetch(endpoint)).headers.get('server')).toMatch(/^Dynoxide/);
});
