import { deletedOwner, isCode } from '../../lib/keys.ts';
import { summarizeDays } from '../../lib/links/days.ts';
import { pickTexts } from '../../lib/links/link-fields.ts';
import { readLinkStats } from '../../lib/links/links.ts';
import type { Connection } from '../connection.ts';
import { CommandError } from '../terminal/command-error.ts';

/** A link as an operator sees it. */
export type LinkReport = Awaited<ReturnType<typeof readLink>>;

/** @throws {CommandError} if the link doesn't exist. */
export async function readLink({ table, stackName }: Connection, code: string) {
  const stats = isCode(code) ? await readLinkStats(table, code) : undefined;
  if (!stats) throw unknownLinkError(code, stackName);
  const { createdAt, deletedAt, disabled = false, disabledBy, clicks } = stats.link;
  const owner = stats.link.owner?.replace(deletedOwner(''), '');
  const state = { createdAt, deletedAt, disabled, disabledBy };
  const link = { code, ...pickTexts(stats.link), owner, ...state, clicks };
  return { ...link, ...summarizeDays(stats.days), campaigns: stats.campaigns };
}

export function unknownLinkError(code: string, stackName: string): CommandError {
  return new CommandError(`There is no link ${code} in ${stackName}.`);
}
