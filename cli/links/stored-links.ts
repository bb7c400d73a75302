import { deletedOwner, isCode } from '../../lib/keys.ts';
import { summarizeDays } from '../../lib/links/days.ts';
import { pickTexts } from '../../lib/links/link-fields.ts';
import { updateAnyLink } from '../../lib/links/link-update.ts';
import { readLinkStats } from '../../lib/links/links.ts';
import type { Connection } from '../connection.ts';
import { CommandError } from '../terminal/command-error.ts';

type TableConnection = Pick<Connection, 'table' | 'stackName'>;

/** A link as an operator sees it. */
export type LinkReport = Awaited<ReturnType<typeof readLink>>;

/** @throws {CommandError} if the link doesn't exist. */
export async function readLink(connection: TableConnection, code: string) {
  const stats = isCode(code) ? await readLinkStats(connection.table, code) : undefined;
  if (!stats) throw unknownLinkError(connection, code);
  const { createdAt, deletedAt, disabled = false, disabledBy, clicks } = stats.link;
  const owner = stats.link.owner?.replace(deletedOwner(''), '');
  const state = { createdAt, deletedAt, disabled, disabledBy };
  const link = { code, ...pickTexts(stats.link), owner, ...state, clicks };
  return { ...link, ...summarizeDays(stats.days), campaigns: stats.campaigns };
}

/**
 * Disables or enables a link on behalf of an operator.
 * @throws {CommandError} if the link doesn't exist.
 */
export async function updateLink(
  connection: TableConnection,
  update: { code: string; disabled: boolean },
): Promise<void> {
  const { code } = update;
  const link = isCode(code) ? await updateAnyLink(connection.table, update) : undefined;
  if (!link) throw unknownLinkError(connection, code);
}

function unknownLinkError({ stackName }: TableConnection, code: string): CommandError {
  return new CommandError(`There is no link ${code} in ${stackName}.`);
}
