import { createProgram, runProgram } from '../terminal/program.ts';
import { createLink, readStats } from './links/api.ts';
import { addStackOptions, findStack, type StackOptions } from './stack.ts';

const description = `Create a link, or show its clicks.

On a stage, the environment variable TOKEN holds your token: npm run user -- token`;

const program = createProgram('links', description);

addStackOptions(program.command('create <url>').description('create a link'))
  .option('--code <code>', 'the code of the link (default: the service chooses one)')
  .action(create);

addStackOptions(program.command('show <code>').description("show a link's clicks, by UTC day"))
  .option('--json', 'print a JSON object')
  .action(show);

await runProgram(program);

async function create(url: string, { code, ...options }: StackOptions & { code?: string }) {
  const stack = await findStack(options);
  const link = await createLink(stack, { url, ...(code !== undefined && { code }) });
  console.log(`${stack.output('ApiUrl')}/${link.code} leads to ${link.url}`);
}

async function show(code: string, { json = false, ...options }: StackOptions & { json?: boolean }) {
  const stack = await findStack(options);
  const stats = await readStats(stack, code);
  if (json) return console.log(JSON.stringify(stats, null, 2));
  console.log(
    `${code} has ${stats.clicks} ${stats.clicks === 1 ? 'click' : 'clicks'} (${stack.name})`,
  );
  for (const { date, count } of stats.days) console.log(`  ${date}  ${count}`);
}
