import { readdirSync, readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { projectDir } from '../../../../local/engines/serverless.ts';

/** The package whose examples these are, and its folder. */
export const packageName = 'powertools-idempotency-transactional';
export const packageDir = path.join(projectDir, 'packages', packageName);

/** A page of the package's documentation. */
export const readPage = (name: string) => readFileSync(path.join(packageDir, name), 'utf8');

/** The examples of public names in their docstrings, by the name. */
export function readDocExamples(): Map<string, string> {
  const examples = new Map<string, string>();
  for (const file of readdirSync(path.join(packageDir, 'src'))) {
    const source = readPage(`src/${file}`);
    const documented = source.matchAll(
      /^\/\*\*\n((?: \*.*\n)+?) \*\/\nexport (?:async )?(?:function|class|interface|type|const) (\w+)/gm,
    );
    for (const [, comment = '', name = ''] of documented) {
      const text = comment.replaceAll(/^ \* ?/gm, '');
      if (text.includes('@example')) examples.set(name, readBlock(text));
    }
  }
  return examples;
}

/** The first block of code in a language. */
export function readBlock(markdown: string, language = 'ts'): string {
  const [, block] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(markdown) ?? [];
  if (block === undefined) throw new Error(`expected an example in ${language}; found none`);
  return block;
}

/** The unit test with a mocked client, and the test with an engine. */
export function readTestingExamples(): { mocked: string; onEngine: string } {
  return {
    mocked: readPage('tests/unit/mocked-client.test.ts'),
    onEngine: readPage('tests/integration/local-dynamodb.test.ts'),
  };
}

/** The recipes in TypeScript, by their names. */
export function readRecipes(): Map<string, string> {
  const names = readdirSync(path.join(packageDir, 'recipes')).filter((name) =>
    name.endsWith('.ts'),
  );
  return new Map(names.map((name) => [name, readPage(`recipes/${name}`)]));
}

/** Writes examples as plain JavaScript into a folder, where they run on the package's sources. */
export async function writeExamples(dir: string, examples: Map<string, string>): Promise<void> {
  await symlink(path.join(projectDir, 'node_modules'), path.join(dir, 'node_modules'));
  for (const [name, text] of examples)
    await writeFile(path.join(dir, name.replace('.ts', '.js')), stripTypeScriptTypes(text));
}
