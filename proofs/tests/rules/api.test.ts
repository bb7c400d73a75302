import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createTestDir } from '../../../tests/helpers/test-dir.ts';

test('the package’s API reference is what its docstrings say; `npm --prefix proofs run api` writes it', async () => {
  await using dir = await createTestDir();
  const typedoc = ['proofs/node_modules/typedoc/bin/typedoc', '--options', 'proofs/typedoc.jsonc'];

  // It fails for a broken link, and for a public name without a docstring.
  await promisify(execFile)(process.execPath, [...typedoc, '--out', dir.path]);

  const written = await readFile(path.join(dir.path, 'api.md'), 'utf8');
  await expect(written).toMatchFileSnapshot(
    '../../../packages/powertools-idempotency-transactional/api.md',
  );
});
