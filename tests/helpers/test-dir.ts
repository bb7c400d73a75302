import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Creates a temporary directory for a test. */
export function createTestDir() {
  return mkdtempDisposable(path.join(tmpdir(), 'click-tally-test-'));
}
