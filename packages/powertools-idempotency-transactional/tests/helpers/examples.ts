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
  /** The Node that runs it; by default, that of the tests. */
  node?: string;
  file: string;
  table: { endpoint: string; tableName: string };
}

/** What one delivery to a handler brought: its result, an error, or the end of its process. */
interface Delivered {
  value?: unknown;
  error?: string;
  killed?: boolean;
}

export interface DeliverOptions {
  /** When the process kills itself. */
  crash?: 'before the commit' | 'after the commit';
  /** How late the process takes it to be, in minutes. */
  laterMinutes?: number;
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
  await writeFile(path.join(dir, 'deliver.ts'), await readDeliver());
  return file;
}

/** The program that delivers an event to an example; it must be in the example's folder. */
export function readDeliver(): Promise<string> {
  return readFile(path.join(import.meta.dirname, 'deliver.ts'), 'utf8');
}

/** Delivers an event to an example, in a process of its own. */
export async function deliver(
  { node = process.execPath, file, table }: Target,
  event: unknown,
  { crash, laterMinutes = 0 }: DeliverOptions = {},
): Promise<Delivered> {
  const program = path.join(path.dirname(file), `deliver${path.extname(file)}`);
  const request = JSON.stringify({ file, event, crash, laterMs: laterMinutes * 60_000 });
  const env = {
    ...localEnvironment(),
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    TABLE_NAME: table.tableName,
  };
  try {
    const { stdout } = await promisify(execFile)(node, [program, request], { env });
    return JSON.parse(stdout);
  } catch (error) {
    if ((error as { signal?: string }).signal === 'SIGKILL') return { killed: true };
    throw error;
  }
}
