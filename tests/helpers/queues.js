import { startFauxqs } from 'fauxqs';
import { afterEach, beforeAll } from 'vitest';
import { queueUrl } from '../../local/engines/queue-server.ts';
/** Starts these queues for a test file. They are empty before each test. */
export function useQueues(...names) {
    let server;
    beforeAll(async () => {
        server = await startFauxqs({ port: 0, logger: false });
        for (const name of names)
            server.createQueue(name);
        return () => server.stop();
    });
    afterEach(() => server.reset());
    return {
        /** A queue's URL. The queue may be missing. */
        urlOf: (name) => queueUrl(`http://127.0.0.1:${server.port}`, name),
        read: (name) => server.inspectQueue(name)?.messages.ready ?? [],
        clear: () => server.reset(),
    };
}
