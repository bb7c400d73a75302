import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { list } from 'isbot';
import { print, printLine } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { narrowedPatterns } from '../../lib/clicks/bot-patterns.ts';
import { projectDir } from '../../local/engines/serverless.ts';
import { renderTable } from '../tools/markdown-table.ts';
import { writeParts } from '../tools/page-part.ts';
import { readCollections } from './collections.ts';
import { countHits } from './patterns.ts';
import { judge } from './verdicts.ts';
const description = "Measure who counts as a bot, and isbot's patterns, against collections of agents on npm. Prints " +
    'each agent that is counted otherwise than its collection says.';
await runProgram(createProgram('agents', description, 'proofs')
    .option('--write', 'write the tables of docs/people-and-bots.md and proofs/agents/patterns.md')
    .action(({ write }) => measure(write)));
async function measure(write = false) {
    const collections = await readCollections();
    const verdicts = collections.map(judge);
    for (const { collection, wrong } of verdicts) {
        for (const { text, as, reason = '' } of wrong) {
            printLine([collection.package, as, reason, text].join(' | '));
        }
    }
    const table = renderCollections(verdicts);
    print(`\n${table}\n`);
    if (!write)
        return;
    await writeParts('people-and-bots.md', 'agents -- --write', { collections: table });
    const patterns = `# isbot's patterns

How many bots and people of the [collections](../../docs/people-and-bots.md#measured) each pattern of isbot matches.
\`npm --prefix proofs run agents -- --write\` writes this. Patterns that nothing matches are left out.

${renderPatterns(collections)}
`;
    await writeFile(path.join(projectDir, 'proofs/agents/patterns.md'), patterns);
}
function renderCollections(verdicts) {
    const columns = [
        ['collection', ({ collection }) => `\`${collection.package}\` ${collection.version}`, 'words'],
        ['bots that count as bots', ({ bots }) => percent(bots)],
        ['people that count as people', ({ people }) => percent(people)],
        ['right devices', ({ devices }) => percent(devices)],
        ['the collection is wrong', ({ wrong }) => `${wrong.filter(({ reason }) => reason).length}`],
    ];
    return renderTable(columns, verdicts);
}
function renderPatterns(collections) {
    const hits = countHits(list, collections)
        .filter(({ bots, people }) => bots + people > 0)
        .sort((a, b) => b.people - a.people || b.bots - a.bots);
    const code = (pattern) => `\`${pattern.replaceAll('|', '\\|')}\``;
    const columns = [
        ['pattern', ({ pattern }) => code(pattern), 'words'],
        ['bots', ({ bots }) => `${bots}`],
        ['people', ({ people }) => `${people}`],
        ['replaced by', ({ pattern }) => describeChange(narrowedPatterns[pattern], code), 'words'],
    ];
    return renderTable(columns, hits);
}
function describeChange(change, code) {
    if (change === undefined)
        return '';
    return change === '' ? 'dropped' : code(change);
}
function percent({ right, all }) {
    return all === 0 ? '' : `${((100 * right) / all).toFixed(2)}% of ${all.toLocaleString('en')}`;
}
