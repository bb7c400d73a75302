import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from '../../cli/terminal/command-error.ts';
import { printLine } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { projectDir } from '../../local/engines/serverless.ts';
import { readCheck } from './check/report.ts';
import { drawDollars } from './docs/dollars-picture.ts';
import { drawLag } from './docs/lag-picture.ts';
import {
  type Parts,
  renderCheckParts,
  renderCodeParts,
  renderRunParts,
  updatePage,
} from './docs/page.ts';
import { type Run, readRuns } from './docs/read-runs.ts';
import { readSweep } from './docs/sweep-table.ts';

const description = `Write the tables and the pictures of docs/capacity.md.

Without a file, only the tables that follow from the code: run this after you change a figure of the model.`;

const docsDir = path.join(projectDir, 'docs');

await runProgram(
  createProgram('capacity:docs', description, 'proofs')
    .argument('[runs]', 'file that npm --prefix proofs run capacity -- --json wrote')
    .option(
      '--check <file>',
      'only the check that npm --prefix proofs run capacity -- --check --json wrote',
    )
    .action(write),
);

async function write(runsFile: string | undefined, { check }: { check?: string }): Promise<void> {
  if (check) return writePage(renderCheckParts(readCheck(await readText(check))));
  if (!runsFile) return writePage(renderCodeParts());
  const runs = readRuns(await readText(runsFile));
  const parts = { ...renderCodeParts(), ...renderRunParts(runs, readSweep()) };
  await writePictures(runs);
  await writePage(parts);
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(({ message }) => {
    throw new CommandError(`Expected a file of results: ${message}`);
  });
}

async function writePictures(runs: readonly Run[]): Promise<void> {
  const folder = path.join(docsDir, 'images');
  await mkdir(folder, { recursive: true });
  const pictures = { 'capacity-lag': drawLag(runs), 'capacity-dollars': drawDollars(runs) };
  for (const [name, svg] of Object.entries(pictures)) {
    await writeAndSay(path.join(folder, `${name}.svg`), svg);
  }
}

async function writePage(parts: Parts): Promise<void> {
  const file = path.join(docsDir, 'capacity.md');
  await writeAndSay(file, updatePage(await readFile(file, 'utf8'), parts));
}

async function writeAndSay(file: string, text: string): Promise<void> {
  await writeFile(file, text);
  printLine(`Wrote ${path.relative(process.cwd(), file)}.`);
}
