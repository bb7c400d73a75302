import { positiveInteger, readEnv } from '../lib/config.ts';
import { table } from '../lib/dynamodb/table.ts';
import { json, readJsonBody } from '../lib/http/http.ts';
import { parseBody } from '../lib/http/request.ts';
import type { ImportLinksAnswer } from '../lib/links/api/answer-schemas.ts';
import { importSchema, maxImportBytes } from '../lib/links/api/link-request.ts';
import { publicOrigin } from '../lib/links/api/public-origin.ts';
import { readLinkPolicy } from '../lib/links/rules/destination.ts';
import { importLinks } from '../lib/links/storage/link-import.ts';
import { auditLinks, withOwnerApi } from '../lib/owner-api.ts';

const { LINKS_PER_DAY: linksPerDay } = readEnv({ LINKS_PER_DAY: positiveInteger });
const policy = readLinkPolicy();

/** POST /links/import: creates up to 100 links, each exactly once, with an outcome for each. */
export const handler = withOwnerApi(async (event, owner) => {
  const { links } = parseBody(importSchema, readJsonBody(event, maxImportBytes));
  const outcomes = await importLinks(table, links, { owner, linksPerDay, policy });
  const codes = outcomes.flatMap((one) => (one.outcome === 'created' ? [one.code] : []));
  if (codes.length > 0) auditLinks({ action: 'imported', sub: owner, codes });
  const answer: ImportLinksAnswer = {
    outcomes: outcomes.map((outcome) => ({
      ...outcome,
      ...('code' in outcome && { shortUrl: `${publicOrigin}/${outcome.code}` }),
    })),
  };
  return json(200, answer);
});
