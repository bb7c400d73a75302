import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { list } from 'isbot';
import { print, printLine } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { narrowedPatterns } from '../../lib/clicks/bot-patterns.ts';
import { projectDir } from '../../local/engines/serverless.ts';
import { type Column, renderTable } from '../tools/markdown-table.ts';
import { writeParts } from '../tools/page-part.ts';
import type { Collection } from './agent.ts';
import { readCollections } from './collections.ts';
import { countHits } from './patterns.ts';
import { judge, type Share, type Verdicts } from './verdicts.ts';

const description =
  "Measure who counts as a bot, and isbot's patterns, against collections of agents on npm. Prints " +
  'each agent that is counted otherwise than its collection says.';

const patternsFile = 'proofs/agents/patterns.csv';

await runProgram(
  createProgram('agents', description, 'proofs')
    .option('--write', `write the table of docs/people-and-bots.md, and ${patternsFile}`)
    .action(({ write }: { write?: boolean }) => measure(write)),
);

async function measure(write = false): Promise<void> {
  const collections = await readCollections();
  const verdicts = collections.map(judge);
  for (const { collection, wrong } of verdicts) {
    for (const { text, as, reason = '' } of wrong) {
      printLine([collection.package, as, reason, text].join(' | '));
    }
  }
  const table = renderCollections(verdicts);
  print(`\n${table}\n`);
  if (!write) return;
  await writeParts('people-and-bots.md', 'agents -- --write', { collections: table });
  await writeFile(path.join(projectDir, patternsFile), renderPatterns(collections));
}

function renderCollections(verdicts: readonly Verdicts[]): string {
  const columns: Column<Verdicts>[] = [
    ['collection', ({ collection }) => `\`${collection.package}\` ${collection.version}`, 'words'],
    ['bots that count as bots', ({ bots }) => percent(bots)],
    ['people that count as people', ({ people }) => percent(people)],
    ['right devices', ({ devices }) => percent(devices)],
    ['the collection is wrong', ({ wrong }) => `${wrong.filter(({ reason }) => reason).length}`],
  ];
  return renderTable(columns, verdicts);
}

/** CSV: how many bots and people each pattern matches. Patterns that match nothing are left out. */
function renderPatterns(collections: readonly Collection[]): string {
  const rows = countHits(list, collections)
    .filter(({ bots, people }) => bots + people > 0)
    .sort((a, b) => b.people - a.people || b.bots - a.bots)
    .map(({ pattern, bots, people }) => [
      quote(pattern),
      bots,
      people,
      describeChange(narrowedPatterns[pattern]),
    ]);
  return `${[['pattern', 'bots', 'people', 'replaced by'], ...rows].join('\n')}\n`;
}

function describeChange(change: string | undefined): string {
  if (change === undefined) return '';
  return change === '' ? 'dropped' : quote(change);
}

function quote(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

function percent({ right, all }: Share): string {
  return all === 0 ? '' : `${((100 * right) / all).toFixed(2)}% of ${all.toLocaleString('en')}`;
}
