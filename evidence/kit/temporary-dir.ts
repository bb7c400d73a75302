import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A new directory that goes when it is removed, and at the latest when this process exits. */
export async function createTemporaryDir(): Promise<{ dir: string; remove(): void }> {
  const dir = await mkdtemp(path.join(tmpdir(), 'click-tally-compare-'));
  const remove = () => {
    process.off('exit', remove);
    rmSync(dir, { recursive: true, force: true });
  };
  process.on('exit', remove);
  return { dir, remove };
}
