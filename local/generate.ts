import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createProgram, runProgram } from '../cli/terminal/program.ts';
import { writeDocument } from './openapi/document.ts';

const program = createProgram('generate', 'Generate files in docs/ from the code.');

program
  .command('openapi')
  .description('the OpenAPI document, from the schemas that check requests')
  .argument('[file]', 'file to write', 'docs/openapi.yml')
  .action(writeOpenApi);

program
  .command('screenshots')
  .description("the README's pictures of the live page, which a browser test takes")
  .argument('[folder]', 'folder to write to', 'docs/images')
  .action(takeScreenshots);

await runProgram(program);

async function writeOpenApi(file: string): Promise<void> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  await writeFile(file, writeDocument(version));
  console.log(`Wrote ${file}.`);
}

async function takeScreenshots(folder: string): Promise<void> {
  const args = ['run', '--project', 'browser', 'tests/browser/picture.test.ts'];
  const env = { ...process.env, PICTURES: folder };
  const [exitCode] = await once(spawn('vitest', args, { env, stdio: 'inherit' }), 'exit');
  process.exitCode = exitCode;
}
