import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { localEnvironment } from '../../../../cli/local-aws.ts';
import { projectDir } from '../../../../local/engines/serverless.ts';

/** Where the package is. */
export const packageDir = path.join(projectDir, 'packages/powertools-idempotency-transactional');

/** The package whose examples these are. */
export const packageName = 'powertools-idempotency-transactional';

/** An example, and the table that it gets. */
export interface Target {
  file: string;
  table: { endpoint: string; tableName: string };
}

/** What one delivery to a handler brought: its result or an error. */
interface Delivered {
  value?: unknown;
  error?: string;
}

/** The example of the package's README, which is its first code in TypeScript. */
export async function readReadmeExample(): Promise<string> {
  const readme = await readFile(path.join(packageDir, 'README.md'), 'utf8');
  return readBlock(readme);
}

/** The first block of code in a language. */
export function readBlock(markdown: string, language = 'ts'): string {
  const [, block] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(markdown) ?? [];
  if (block === undefined) throw new Error(`expected an example in ${language}; found none`);
  return block;
}

/** The files of the recipes: each block in TypeScript whose name is before it, with what imports it finds. */
export async function readRecipes(): Promise<Map<string, string>> {
  const page = await readFile(path.join(packageDir, 'recipes.md'), 'utf8');
  const blocks = page.matchAll(/`(\w+\.ts)`(?:(?!^#|^```).)*?^```ts\n(.*?)^```/gms);
  return new Map([...blocks].map(([, name = '', block = '']) => [name, block]));
}

/** Writes an example into a folder, where it runs on the sources of the package. */
export async function writeExample(dir: string, text: string): Promise<string> {
  const file = path.join(dir, 'example.ts');
  await symlink(path.join(projectDir, 'node_modules'), path.join(dir, 'node_modules'));
  await writeFile(file, text);
  return file;
}

/** Delivers an event to an example, in a process of its own that takes it to be so much later. */
export async function deliver(
  { file, table }: Target,
  event: unknown,
  laterMinutes = 0,
): Promise<Delivered> {
  const program = path.join(path.dirname(file), 'deliver.js');
  const request = JSON.stringify({ file, event, laterMs: laterMinutes * 60_000 });
  const env = {
    ...localEnvironment(),
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    TABLE_NAME: table.tableName,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [program, request], { env });
  return JSON.parse(stdout);
}
