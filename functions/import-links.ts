import { positiveInteger, readEnv } from '../lib/config.ts';
import { table } from '../lib/dynamodb/table.ts';
import { json, readJsonBody } from '../lib/http/http.ts';
import { parseBody } from '../lib/http/request.ts';
import type { ImportLinksAnswer } from '../lib/links/api/answer-schemas.ts';
import { importSchema, maxImportBytes } from '../lib/links/api/link-request.ts';
import { publicOrigin } from '../lib/links/api/public-origin.ts';
import { readLinkPolicy } from '../lib/links/rules/destination.ts';
import { type CreationOutcome, createLinks } from '../lib/links/storage/create-links.ts';
import { readRemainingLinks } from '../lib/links/storage/link-creation.ts';
import { auditLinks, withOwnerApi } from '../lib/owner-api.ts';

const { LINKS_PER_DAY: linksPerDay } = readEnv({ LINKS_PER_DAY: positiveInteger });
const policy = readLinkPolicy();

/**
 * POST /links/import: creates up to 100 links, each exactly once, with an outcome for each. A dry run only
 * says what would happen.
 */
export const handler = withOwnerApi(async (event, owner) => {
  const { links, dryRun: isDryRun } = parseBody(importSchema, readJsonBody(event, maxImportBytes));
  const wanted = links.map(({ key, ...fields }) => ({ key, fields }));
  const context = { owner, linksPerDay, policy, keyed: 'row', isDryRun } as const;
  const outcomes = await createLinks(table, wanted, context);
  const codes = outcomes.flatMap((one) => (one.outcome === 'created' ? [one.code] : []));
  if (codes.length > 0) auditLinks({ action: 'imported', sub: owner, codes });
  const answer: ImportLinksAnswer = {
    outcomes: outcomes.map(describeOutcome),
  };
  if (!isDryRun) return json(200, answer);
  const remaining = await readRemainingLinks(table, context, new Date().toISOString());
  return json(200, { ...answer, remaining: Math.max(0, remaining) });
});

function describeOutcome(result: CreationOutcome): ImportLinksAnswer['outcomes'][number] {
  const { outcome } = result;
  if ('code' in result) {
    const { code } = result;
    return { outcome, code, shortUrl: `${publicOrigin}/${code}` };
  }
  if (!('error' in result)) return { outcome };
  const { message, fields } = result.error;
  return { outcome, message, fields };
}
