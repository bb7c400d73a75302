import { createClickIds } from '../../lib/clicks/click-id.ts';
/** Creates a source of a stage's click ids. Each click comes from a random one of its environments. */
export function createStageIds(options) {
    const { environments, random, pickCode, earlierClicks } = options;
    const sources = Array.from({ length: environments }, () => createEnvironmentIds(options));
    for (const place of sources) {
        for (let left = earlierClicks(); left > 0; left -= 1)
            place(pickCode());
    }
    return (code) => random.pick(sources)(code);
}
/** An environment's source of ids. Its clock goes on with each click. */
function createEnvironmentIds(options) {
    const { environments, queues, random, clicksPerSecond = Number.POSITIVE_INFINITY } = options;
    const bytes = () => Uint8Array.from({ length: 16 }, () => random.integer(0, 255));
    const mint = () => Buffer.from(bytes()).toString('base64url');
    let nowMs = 0;
    const place = createClickIds(queues, mint, () => nowMs);
    return (code) => {
        nowMs += (1000 * environments) / clicksPerSecond;
        return place(code);
    };
}
