import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type StackOutputs, writeStackFile } from '../../../../cli/terminal/running-stack.ts';
import { createTestDir } from '../../../helpers/test-dir.ts';

const outputs = { api: 'http://127.0.0.1:3000', token: 'a.b.c' } as StackOutputs;
const readMode = async (file: string) => (await stat(file)).mode & 0o777;

test.each([
  ['in a new folder', 'new/stack.json'],
  ['replacing a file that others can read', 'old.json'],
  ['replacing a link to such a file', 'link.json'],
])("a stack's file holds tokens, so only its owner can read it: %s", async (_, name) => {
  await using dir = await createTestDir();
  const old = path.join(dir.path, 'old.json');
  const file = path.join(dir.path, name);
  await writeFile(old, 'old', { mode: 0o644 });
  await symlink(old, path.join(dir.path, 'link.json'));

  await writeStackFile(file, outputs);

  expect(await readMode(file)).toBe(0o600);
  expect(await readMode(path.dirname(file))).toBe(0o700);
  expect((await readFile(old, 'utf8')) === 'old').toBe(old !== file);
});
