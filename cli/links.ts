import { type Command, Option } from 'commander';
import { spellTag } from '../lib/clean-text.ts';
import type { CreateLinkAnswer, LinkAnswer } from '../lib/links/api/answer-schemas.ts';
import { listServices } from '../lib/links/import-export/other-services.ts';
import {
  completeUrl,
  type FieldName,
  fieldNames,
  type LineField,
  lineFields,
  lines,
  mapLines,
  splitTags,
  type TextField,
} from '../lib/links/rules/link-fields.ts';
import { creationMarkerDays } from '../lib/links/storage/creation-marker.ts';
import { urlCacheSeconds } from '../lib/redirect/url-cache.ts';
import { connect } from './connection.ts';
import { createLink, deleteLink, editLink, listLinks, restoreLink } from './links/api-client.ts';
import { compareStandby } from './links/compare-standby.ts';
import { type ExportOptions, exportLinks } from './links/export-links.ts';
import { type ImportOptions, importFile } from './links/import-links.ts';
import { disableLink, showLink } from './links/stored-links.ts';
import { addStackOptions, findStack, type Stack, type StackOptions } from './stack.ts';
import { CommandError } from './terminal/command-error.ts';
import { formatJson, print, printLine } from './terminal/print.ts';
import { abortOnInterrupt, createProgram, runProgram } from './terminal/program.ts';

const description = `Create, edit, delete, list, import and export your own links. As an operator, show,
disable or enable anyone's link.

The commands for your own links call the API with the API key in the environment variable
CLICK_TALLY_KEY, which you create on the live page. Without one, they use the token in TOKEN: npm run
stage -- token. The others use your AWS credentials on the table and don't need a token.

Write a code that starts with a hyphen last, after --.`;

const codeWidth = 12;
const countWidth = 9;

const program = createProgram('links', description);

const creation = addCommand('create', 'create your own link')
  .argument('<url>', 'where the link leads', completeUrl)
  .option('--code <code>', "the link's code (default: the service chooses one)")
  .option('--expires <time>', 'when the link expires, such as 2026-05-26T18:00:00Z')
  .option('--tags <tags>', 'tags with commas between them', splitTags)
  .option('--forward-query', "append the visitor's query to the destination")
  .action(create);

const editing = addCommand('edit <code>', 'edit your own link')
  .option('--url <url>', 'where the link leads from now on', completeUrl)
  .option('--expires <time>', 'when the link expires, such as 2026-05-26T18:00:00Z, or "never"')
  .option('--tags <tags>', 'all tags with commas between them, or "" for none', splitTags)
  .option('--forward-query', "append the visitor's query to the destination")
  .option('--no-forward-query', "ignore the visitor's query")
  .action(edit);

for (const name of lineFields) {
  const { about } = lines[name];
  creation.option(`--${name} <${name}>`, about);
  editing.option(`--${name} <${name}>`, `${about}, or "" for none`);
}

addCommand('delete <code>', 'delete your own link, which you can restore for 90 days').action(
  remove,
);

addCommand('restore <code>', 'restore your own deleted link with its clicks').action(restore);

addCommand('list', 'list your own links, newest first')
  .option('--tag <tag>', 'only links with this tag')
  .option('--deleted', 'list the deleted links instead')
  .option('--json', 'print a JSON object on each line')
  .action(list);

addCommand(
  'import <file>',
  `create links from a CSV file with the columns ${fieldNames.join(', ')}`,
)
  .option('--new-codes', 'give every link a new code, and ignore codes in the file')
  .addHelpText(
    'after',
    `\nOnly url is required. Exports of ${listServices()} work too. If you\n` +
      `import a row again within ${creationMarkerDays} days, you get its first link. So after an interruption, or on the day after\n` +
      'you reached your daily limit, run the same command again.',
  )
  .action(async (file: string, options: StackOptions & ImportOptions) =>
    importFile(await findStack(options), file, options),
  );

addCommand(
  'export [code]',
  "export your own links with their totals, or one link's days and breakdowns",
)
  .addOption(new Option('--format <format>', 'the format').choices(['csv', 'json']).default('csv'))
  .option('--from <day>', 'the first UTC day of one link, such as 2026-05-26')
  .option('--to <day>', 'the last UTC day of one link')
  .option('-o, --output <file>', 'write a file instead of printing')
  .action(async (code: string | undefined, options: StackOptions & ExportOptions) =>
    exportLinks(await findStack(options), code, options),
  );

addCommand('show <code>', 'show a link and its clicks, by UTC day')
  .option('--json', 'print a JSON object')
  .action(async (code: string, { json, ...options }: StackOptions & { json?: boolean }) =>
    showLink(await connect(options), code, json),
  );

addCommand('disable <code>', 'take a link down').action(
  async (code: string, options: StackOptions) => disableLink(await connect(options), code, true),
);

addCommand('enable <code>', 'enable a link, no matter who disabled it').action(
  async (code: string, options: StackOptions) => disableLink(await connect(options), code, false),
);

addCommand('standby', "compare the standby's links with the stage's; exits with 1 if they differ")
  .option('--repair', 'make them equal')
  .action(async ({ repair, ...options }: StackOptions & { repair?: boolean }) =>
    compareStandby(await findStack(options), { repair }, abortOnInterrupt()),
  );

await runProgram(program);

function addCommand(usage: string, description: string): Command {
  return addStackOptions(program.command(usage).description(description));
}

type Texts = { expires?: string; tags?: string[] } & { [Name in LineField]?: string };
type NewLink = StackOptions & Texts & { code?: string; forwardQuery?: true };
type Change = StackOptions & Texts & { url?: string; forwardQuery?: boolean };

async function create(
  url: string,
  { code, expires: expiresAt, tags, forwardQuery, ...options }: NewLink,
) {
  const stack = await findStack(options);
  const texts = mapLines((name) => options[name]);
  const link = { url, code, expiresAt, ...texts, tags, forwardQuery } satisfies Record<
    Exclude<FieldName, 'disabled'>,
    unknown
  >;
  printDestination(stack, await createLink(stack, link));
}

async function edit(code: string, { url, expires, tags, forwardQuery: isOn, ...options }: Change) {
  const expiresAt = expires === 'never' ? null : expires;
  const forwardQuery = isOn === false ? null : isOn;
  const texts = mapLines((name) => options[name]);
  const change = { url, expiresAt, ...texts, tags, forwardQuery } satisfies Record<
    TextField,
    unknown
  >;
  if (Object.values(change).every((value) => value === undefined)) {
    throw new CommandError('expected an option with a change, such as --url; got none');
  }
  const stack = await findStack(options);
  printDestination(stack, await editLink(stack, code, change));
}

async function remove(code: string, options: StackOptions) {
  const stack = await findStack(options);
  const { keptUntil } = await deleteLink(stack, code);
  printLine(
    `${code} of ${stack.name} is deleted. Within ${urlCacheSeconds} seconds, visitors get 404. You can restore it until ${keptUntil}.`,
  );
}

async function restore(code: string, options: StackOptions) {
  const stack = await findStack(options);
  printDestination(stack, await restoreLink(stack, code));
}

function printDestination(stack: Stack, link: CreateLinkAnswer): void {
  printLine(`${stack.output('ApiUrl')}/${link.code} leads to ${link.url}${describeExpiry(link)}`);
}

async function list({
  json = false,
  tag,
  deleted,
  ...options
}: StackOptions & { json?: boolean; tag?: string; deleted?: boolean }) {
  if (!json) printLine(alignColumns('code', ['by people', 'by bots', 'clicks'], 'destination'));
  const wanted = tag === undefined ? undefined : spellTag(tag);
  for await (const link of listLinks(await findStack(options), { deleted })) {
    if (wanted !== undefined && !link.tags?.includes(wanted)) continue;
    if (json) print(`${formatJson(link)}\n`);
    else printLine(describeLink(link));
  }
}

function describeLink(link: LinkAnswer): string {
  const { code, people, bots, clicks, url, disabled, deletedAt } = link;
  const deletion = deletedAt ? `, deleted ${deletedAt}` : '';
  const state = `${disabled ? ', disabled' : ''}${describeExpiry(link)}${deletion}`;
  return alignColumns(code, [people, bots, clicks], `${url}${state}`);
}

function alignColumns(code: string, counts: (number | string)[], rest: string): string {
  const columns = counts.map((count) => `${count}`.padStart(countWidth));
  return `${[code.padEnd(codeWidth), ...columns].join(' ')}  ${rest}`;
}

function describeExpiry({ expiresAt }: { expiresAt?: string }): string {
  if (expiresAt === undefined) return '';
  return `, ${Date.parse(expiresAt) <= Date.now() ? 'expired' : 'until'} ${expiresAt}`;
}
