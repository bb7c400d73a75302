import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll } from 'vitest';
export function createTestDir() {
    return mkdtempDisposable(path.join(tmpdir(), 'click-tally-test-'));
}
/** Creates a temporary directory for a file's or a `describe`'s tests. */
export function useTestDir() {
    const dir = { path: '' };
    beforeAll(async () => {
        const created = await createTestDir();
        dir.path = created.path;
        return () => created.remove();
    });
    return dir;
}
