import { readFile, writeFile } from 'node:fs/promises';
import { createProgram, runProgram } from '../terminal/program.ts';
import { writeDocument } from './openapi/document.ts';

const description = `Write the OpenAPI document of the API.

It is made from the schemas that check requests, so run this after you change one.`;

await runProgram(
  createProgram('openapi', description)
    .argument('[file]', 'file to write', 'docs/openapi.yml')
    .action(write),
);

async function write(file: string): Promise<void> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  await writeFile(file, writeDocument(version));
  console.log(`Wrote ${file}.`);
}
