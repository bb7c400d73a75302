import { hasKnownValues } from '../../lib/clicks/undivided.ts';
import type { TableAccess } from '../../lib/dynamodb/table.ts';
import { deletedOwner, isCode } from '../../lib/keys.ts';
import { lineFields, pickTexts } from '../../lib/links/rules/link-fields.ts';
import { summarizeDays } from '../../lib/links/storage/days.ts';
import { releaseCode } from '../../lib/links/storage/link-deletion.ts';
import { updateAnyLink } from '../../lib/links/storage/link-update.ts';
import { getStoredLink, type LinkStats, readLinkStats } from '../../lib/links/storage/links.ts';
import { addVisitors } from '../../lib/links/storage/visitor-counts.ts';
import { urlCacheSeconds } from '../../lib/redirect/url-cache.ts';
import type { Connection } from '../connection.ts';
import { CommandError } from '../terminal/command-error.ts';
import { count, formatJson, print, printLine } from '../terminal/print.ts';

const disablers = { owner: 'by its owner', operator: 'by an operator' };

/**
 * Shows a link and its clicks as an operator sees them.
 * @throws {CommandError} if the link doesn't exist.
 */
export async function showLink({ table, stackName }: Connection, code: string, json = false) {
  const stats = isCode(code) ? await readLinkStats(table, code) : undefined;
  if (!stats) throw await findUnknownError(table, code, stackName);
  const link = describeLink(code, stats);
  if (json) print(`${formatJson(link, 2)}\n`);
  else printLink(link, stackName);
}

/**
 * Disables or enables a link on behalf of an operator.
 * @throws {CommandError} if the link doesn't exist.
 */
export async function disableLink(
  { table, stackName }: Connection,
  code: string,
  disabled: boolean,
): Promise<void> {
  if (isCode(code) && (await updateAnyLink(table, { code, disabled }))) {
    const result = disabled
      ? `is disabled. Within ${urlCacheSeconds} seconds, visitors get 410, until an operator enables it`
      : 'is enabled: visitors are redirected again';
    return printLine(`${code} of ${stackName} ${result}.`);
  }
  if (disabled || !isCode(code) || !(await releaseCode(table, code))) {
    throw unknownLinkError(code, stackName);
  }
  printLine(`${code} of ${stackName} was deleted. Within a day, anyone can use its code again.`);
}

function describeLink(code: string, { link, days, campaigns, sketches }: LinkStats) {
  const { createdAt, updatedAt, deletedAt, disabled = false, disabledBy, clicks } = link;
  const owner = link.owner?.replace(deletedOwner(''), '');
  const state = { createdAt, updatedAt, deletedAt, disabled, disabledBy };
  const summary = addVisitors(summarizeDays(days), sketches);
  return { code, ...pickTexts(link), owner, ...state, clicks, ...summary, campaigns };
}

function printLink(link: ReturnType<typeof describeLink>, stackName: string): void {
  const { code, url, owner = 'none', createdAt, expiresAt = 'never', days } = link;
  const { updatedAt, deletedAt, disabled, disabledBy, people, bots, tags = ['none'] } = link;
  const byWhom = `${people} by people, ${bots} by bots`;
  printLine(`${code} has ${count(link.clicks, 'click')}: ${byWhom} (${stackName})`);
  printLine(`  leads to  ${url}`);
  for (const name of lineFields) {
    if (link[name]) printLine(`  ${name.padEnd(8)}  ${link[name]}`);
  }
  printLine(`  tags      ${tags.join(', ')}`);
  if (link.forwardQuery) printLine("  query     the visitor's is appended");
  printLine(`  owner     ${owner}`);
  printLine(`  created   ${createdAt}`);
  if (updatedAt) printLine(`  changed   ${updatedAt}`);
  printLine(`  expires   ${expiresAt}`);
  printLine(`  disabled  ${disabled ? disablers[disabledBy ?? 'owner'] : 'no'}`);
  if (deletedAt) printLine(`  deleted   ${deletedAt}`);
  if (link.visitors !== undefined) {
    const since = link.visitorsSince ? ` since ${link.visitorsSince}` : '';
    printLine(`  visitors  about ${link.visitors}${since}`);
  }
  const breakdowns = Object.entries(link.breakdowns).filter(([name]) =>
    hasKnownValues(link.breakdowns, name),
  );
  for (const [name, values] of [...breakdowns, ...Object.entries(link.campaigns ?? {})]) {
    const counts = values.map((value) => `${value.name} ${value.count}`);
    printLine(`  ${name.padEnd(8)}  ${counts.join(', ')}`);
  }
  for (const { date, count: clicks, visitors } of days) {
    printLine(`  ${date}  ${clicks}${describeVisitors(visitors)}`);
  }
}

function describeVisitors(visitors?: number): string {
  return visitors === undefined ? '' : ` (about ${count(visitors, 'visitor')})`;
}

/** A taken-down link that was purged isn't there any more, and neither is its code for others. */
async function findUnknownError(table: TableAccess, code: string, stackName: string) {
  const stored = isCode(code) ? await getStoredLink(table, code) : undefined;
  if (stored?.disabledBy !== 'operator') return unknownLinkError(code, stackName);
  return new CommandError(
    `${code} of ${stackName} was taken down, and then its owner deleted it. Nobody can use its code until an operator enables it.`,
  );
}

function unknownLinkError(code: string, stackName: string): CommandError {
  return new CommandError(`There is no link ${code} in ${stackName}.`);
}
