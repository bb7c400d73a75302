import pLimit from 'p-limit';
import { chunk } from '../chunk.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { getStoredLinks } from '../links/storage/links.ts';
import type { LinkChange } from './link-change.ts';
import { redirects, type StandbyLink, toStandbyLink, updateStandbyLink } from './standby-link.ts';

/** DynamoDB's limit for BatchGetItem. */
const readsAtOnce = 100;
const writesAtOnce = 20;

interface Regions {
  home: TableAccess;
  standby: TableAccess;
}

/**
 * Brings changed links to the standby, as the home table has them now, and returns the errors by code.
 * Links that don't redirect any more come first: a take-down mustn't wait for new links.
 */
export async function replicateLinks(
  { home, standby }: Regions,
  changes: readonly LinkChange[],
): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>();
  const versions = newestVersions(changes);
  const links: [string, StandbyLink][] = [];
  for (const codes of chunk([...versions.keys()], readsAtOnce)) {
    const stored = await getStoredLinks(home, codes);
    for (const code of codes) {
      const version = versions.get(code) ?? 0;
      const item = stored.get(code);
      const link = item && toStandbyLink(item);
      if (link && link.version >= version) links.push([code, link]);
      else failures.set(code, outdatedItemError(version, link));
    }
  }
  const inOrder = links.toSorted(([, a], [, b]) => Number(redirects(a)) - Number(redirects(b)));
  await pLimit(writesAtOnce).map(inOrder, async ([code, link]) => {
    await updateStandbyLink(standby, code, link).catch((error) => failures.set(code, error));
  });
  return failures;
}

function newestVersions(changes: readonly LinkChange[]): Map<string, number> {
  const versions = new Map<string, number>();
  for (const { code, version } of changes) {
    versions.set(code, Math.max(version, versions.get(code) ?? 0));
  }
  return versions;
}

/**
 * The stream shows a transaction's items one by one, so the link's own item may still be without the change,
 * or not be there yet. It expires long after the stream has lost the change.
 */
function outdatedItemError(version: number, found?: StandbyLink): Error {
  const got = found?.version ?? 'no item';
  return new Error(`expected the link's item to have version ${version}; got ${got}`);
}
