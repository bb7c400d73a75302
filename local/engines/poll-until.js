import { setTimeout as sleep } from 'node:timers/promises';
const intervalMs = 50;
/**
 * Polls `ask` until it returns true. An `ask` that throws counts as false.
 * @throws Error after `timeoutMs`, or once `endedEarly` resolves.
 */
export async function pollUntil(ask, { timeoutMs, endedEarly }) {
    let ended = false;
    endedEarly?.then(() => {
        ended = true;
    });
    let lastError;
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(intervalMs)) {
        if (ended)
            throw new Error('it ended before it was ready');
        try {
            if (await ask())
                return;
        }
        catch (error) {
            lastError = error;
        }
    }
    throw new Error(`it was not ready within ${timeoutMs / 1000} s`, { cause: lastError });
}
