import { positiveInteger, readEnv } from '../lib/config.ts';
import { table } from '../lib/dynamodb/table.ts';
import { json, readJsonBody } from '../lib/http/http.ts';
import { auditLinks, withOwnerApi } from '../lib/http/owner-api.ts';
import type { CreateLinkAnswer } from '../lib/links/answer-schemas.ts';
import { readLinkPolicy } from '../lib/links/destination.ts';
import { createLink } from '../lib/links/link-creation.ts';
import { pickTexts } from '../lib/links/link-fields.ts';
import { parseNewLink } from '../lib/links/link-request.ts';
import { publicOrigin } from '../lib/links/public-origin.ts';

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
