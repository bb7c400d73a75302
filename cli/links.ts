import { urlCacheSeconds } from '../lib/links/links.ts';
import { withConnection } from './connection.ts';
import { createLink } from './links/api-client.ts';
import { type LinkReport, readLink, updateLink } from './links/stored-links.ts';
import { addStackOptions, findStack, type StackOptions } from './stack.ts';
import { formatJson, print, printLine } from './terminal/print.ts';
import { createProgram, runProgram } from './terminal/program.ts';

const description = `Create a link or, as an operator, show, disable or enable anyone's link.

On a stage, create calls the API with the token in the environment variable TOKEN: npm run stage -- token.
The other commands use your AWS credentials on the table and don't need a token.`;

const disablers = { owner: 'by its owner', operator: 'by an operator' };

const program = createProgram('links', description);

addStackOptions(program.command('create <url>').description('create your own link'))
  .option('--code <code>', "the link's code (default: the service chooses one)")
  .action(create);

addStackOptions(
  program.command('show <code>').description('show a link and its clicks, by UTC day'),
)
  .option('--json', 'print a JSON object')
  .action(show);

addStackOptions(program.command('disable <code>').description('take a link down')).action(
  (code: string, options: StackOptions) => update(code, true, options),
);

addStackOptions(
  program.command('enable <code>').description('enable a link, no matter who disabled it'),
).action((code: string, options: StackOptions) => update(code, false, options));

await runProgram(program);

async function create(url: string, { code, ...options }: StackOptions & { code?: string }) {
  const stack = await findStack(options);
  const link = await createLink(stack, { url, ...(code !== undefined && { code }) });
  printLine(`${stack.output('ApiUrl')}/${link.code} leads to ${link.url}`);
}

async function show(code: string, { json = false, ...options }: StackOptions & { json?: boolean }) {
  await withConnection(options, async (connection) => {
    const link = await readLink(connection, code);
    if (json) print(`${formatJson(link, 2)}\n`);
    else printLink(link, connection.stackName);
  });
}

async function update(code: string, disabled: boolean, options: StackOptions) {
  await withConnection(options, async (connection) => {
    await updateLink(connection, { code, disabled });
    const result = disabled
      ? `is disabled. Within ${urlCacheSeconds} seconds, visitors get 410, until an operator enables it`
      : 'is enabled: visitors are redirected again';
    printLine(`${code} of ${connection.stackName} ${result}.`);
  });
}

function printLink(link: LinkReport, stackName: string): void {
  const { code, url, owner = 'none', createdAt, disabled, disabledBy, clicks, days } = link;
  printLine(`${code} has ${clicks} ${clicks === 1 ? 'click' : 'clicks'} (${stackName})`);
  printLine(`  leads to  ${url}`);
  printLine(`  owner     ${owner}`);
  printLine(`  created   ${createdAt}`);
  printLine(`  disabled  ${disabled ? disablers[disabledBy ?? 'owner'] : 'no'}`);
  for (const [name, values] of Object.entries(link.breakdowns)) {
    const counts = values.map((value) => `${value.name.replace('unknown', 'n/a')} ${value.count}`);
    if (counts.length > 0) printLine(`  ${name.padEnd(8)}  ${counts.join(', ')}`);
  }
  for (const { date, count } of days) printLine(`  ${date}  ${count}`);
}
