import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CommandError } from '../cli/terminal/command-error.ts';
import { createProgram, runProgram } from '../cli/terminal/program.ts';
import { writeDocument } from './openapi/yaml-file.ts';
import { drawTerminal } from './terminal-picture.ts';

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

program
  .command('demo')
  .description("the README's picture of npm start demo, from a run of it (two minutes)")
  .argument('[file]', 'file to write', 'docs/images/demo.svg')
  .action(pictureDemo);

program
  .command('failures')
  .description('what visitors get while a dependency or a Region fails, as tests measure it')
  .argument('[file]', 'file to write', 'docs/failures.md')
  .action(measureFailures);

await runProgram(program);

async function writeOpenApi(file: string): Promise<void> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  await writeFile(file, writeDocument(version));
  console.log(`Wrote ${file}.`);
}

function takeScreenshots(folder: string): Promise<void> {
  return runTest('browser', 'tests/browser/picture.test.ts', { PICTURES: folder });
}

async function pictureDemo(file: string): Promise<void> {
  const demo = spawn(process.execPath, ['local/start.ts', 'demo'], {
    env: { ...process.env, FORCE_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [exitCode]] = await Promise.all([text(demo.stdout), once(demo, 'close')]);
  const crash = output.split('\n\n').find((scene) => scene.includes('crashes'));
  if (exitCode !== 0 || crash === undefined) {
    throw new CommandError(`expected the demo to show a crash and to pass; got:\n${output}`);
  }
  await writeFile(file, drawTerminal(['$ npm start demo', '…', ...crash.split('\n')]));
  console.log(`Wrote ${file}.`);
}

async function measureFailures(file: string): Promise<void> {
  // Each of them rewrites the file.
  for (const room of ['links', 'standby']) {
    const test = `tests/integration/${room}/failures.test.ts`;
    await runTest('integration*', test, { FAILURES: file });
  }
}

/** Runs a test that writes what its variable names. */
async function runTest(project: string, file: string, variable: object): Promise<void> {
  const args = ['run', '--project', project, file];
  const env = { ...process.env, ...variable };
  const [exitCode] = await once(spawn('vitest', args, { env, stdio: 'inherit' }), 'exit');
  process.exitCode ||= exitCode;
}
