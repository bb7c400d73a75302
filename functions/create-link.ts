import { positiveInteger, readEnv } from '../lib/config.ts';
import { table } from '../lib/dynamodb/table.ts';
import { json, readJsonBody } from '../lib/http/http.ts';
import type { CreateLinkAnswer } from '../lib/links/api/answer-schemas.ts';
import { parseIdempotencyKey } from '../lib/links/api/creation-key.ts';
import { publicOrigin } from '../lib/links/api/public-origin.ts';
import { readLinkPolicy } from '../lib/links/rules/destination.ts';
import { pickTexts } from '../lib/links/rules/link-fields.ts';
import { createLink } from '../lib/links/storage/create-links.ts';
import { auditLinks, withOwnerApi } from '../lib/owner-api.ts';

const { LINKS_PER_DAY: linksPerDay } = readEnv({ LINKS_PER_DAY: positiveInteger });
const policy = readLinkPolicy();

/**
 * POST /links: creates a link for the caller, under a requested code or a new one. Repeated with the same
 * Idempotency-Key, it answers with the link that exists.
 */
export const handler = withOwnerApi(async (event, owner) => {
  const key = parseIdempotencyKey(event.headers['idempotency-key']);
  const wanted = { key, fields: readJsonBody(event) };
  const context = { owner, linksPerDay, policy, keyed: 'request' } as const;
  const { outcome, code, link } = await createLink(table, wanted, context);
  if (outcome === 'created') auditLinks({ action: 'created', sub: owner, code });
  const answer: CreateLinkAnswer = {
    code,
    shortUrl: `${publicOrigin}/${code}`,
    ...pickTexts(link),
  };
  return json(201, answer, outcome === 'existing' ? { 'idempotent-replayed': 'true' } : {});
});
