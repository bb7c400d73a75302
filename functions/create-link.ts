import { positiveInteger, readEnv } from '../lib/config.ts';
import { table } from '../lib/dynamodb/table.ts';
import { json, readJsonBody } from '../lib/http/http.ts';
import type { CreateLinkAnswer } from '../lib/links/api/answer-schemas.ts';
import { parseNewLink } from '../lib/links/api/link-request.ts';
import { publicOrigin } from '../lib/links/api/public-origin.ts';
import { readLinkPolicy } from '../lib/links/rules/destination.ts';
import { pickTexts } from '../lib/links/rules/link-fields.ts';
import { createLink } from '../lib/links/storage/link-creation.ts';
import { auditLinks, withOwnerApi } from '../lib/owner-api.ts';

const { LINKS_PER_DAY: linksPerDay } = readEnv({ LINKS_PER_DAY: positiveInteger });
const policy = readLinkPolicy();

/** POST /links: creates a link for the caller, under a requested code or a new one. */
export const handler = withOwnerApi(async (event, owner) => {
  const request = parseNewLink(readJsonBody(event), policy);
  const code = await createLink(table, { ...request, owner, linksPerDay });
  auditLinks({ action: 'created', sub: owner, code });
  const shortUrl = `${publicOrigin}/${code}`;
  return json(201, { code, shortUrl, ...pickTexts(request) } satisfies CreateLinkAnswer);
});
