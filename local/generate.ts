import { readFile, writeFile } from 'node:fs/promises';
import { createProgram, runProgram } from '../cli/terminal/program.ts';
import { writeDocument } from './openapi/document.ts';
import { takeScreenshots } from './screenshots/take.ts';

const program = createProgram('generate', 'Generate files in docs/ from the code.');

program
  .command('openapi')
  .description('the OpenAPI document, from the schemas that check requests')
  .argument('[file]', 'file to write', 'docs/openapi.yml')
  .action(writeOpenApi);

program
  .command('screenshots')
  .description("the README's pictures of the live page; takes about two minutes")
  .argument('[folder]', 'folder to write to', 'docs/images')
  .action(takeScreenshots);

await runProgram(program);

async function writeOpenApi(file: string): Promise<void> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  await writeFile(file, writeDocument(version));
  console.log(`Wrote ${file}.`);
}
