import * as z from 'zod/mini';
import { domainList, positiveInteger, readDomains, readEnv } from '../lib/config.ts';
import { table } from '../lib/dynamodb/table.ts';
import { json, readJsonBody } from '../lib/http/http.ts';
import { withOwnerApi } from '../lib/http/owner-api.ts';
import { readServiceHosts } from '../lib/http/service-hosts.ts';
import type { CreateLinkAnswer } from '../lib/links/answer-schemas.ts';
import { auditLinks } from '../lib/links/audit.ts';
import { createLink } from '../lib/links/create-link.ts';
import { codeTakenError, quotaExceededError } from '../lib/links/link-answer.ts';
import { parseNewLink } from '../lib/links/link-request.ts';
import { publicOrigin } from '../lib/links/public-origin.ts';

const creatorVariables = z.object({ LINKS_PER_DAY: positiveInteger, BLOCKED_DOMAINS: domainList });
const { LINKS_PER_DAY: linksPerDay, BLOCKED_DOMAINS } = readEnv(creatorVariables);
const policy = {
  serviceHosts: readServiceHosts(),
  blockedDomains: readDomains('BLOCKED_DOMAINS', BLOCKED_DOMAINS),
};

/** POST /links: creates a link of the caller, under a code of the caller's choice or a new one. */
export const handler = withOwnerApi(async (event, owner) => {
  const request = parseNewLink(readJsonBody(event), policy);
  const { outcome, code } = await createLink(table, { ...request, owner, linksPerDay });
  if (outcome === 'taken') throw codeTakenError(code);
  if (outcome === 'over-quota') throw quotaExceededError(linksPerDay);
  auditLinks({ action: 'created', sub: owner, code });
  const shortUrl = `${publicOrigin}/${code}`;
  return json(201, { code, shortUrl, url: request.url } satisfies CreateLinkAnswer);
});
