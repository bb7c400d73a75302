import { table } from '../lib/dynamodb/table.ts';
import { json, readJsonBody } from '../lib/http/http.ts';
import { withOwnerApi } from '../lib/http/owner-api.ts';
import { auditLinks } from '../lib/links/audit.ts';
import { changeOwnLink } from '../lib/links/disable-link.ts';
import { describeLink, takenDown } from '../lib/links/link-answer.ts';
import { notFound, parseCode, parseLinkChange } from '../lib/links/link-request.ts';
import { publicOrigin } from '../lib/links/public-origin.ts';

/** PATCH /links/{code}: disables or enables a link of the caller. */
export const handler = withOwnerApi(async (event, owner) => {
  const code = parseCode(event.pathParameters?.code);
  const { disabled } = parseLinkChange(readJsonBody(event));
  const link = await changeOwnLink(table, owner, { code, disabled });
  if (link === 'unknown') throw notFound(code);
  if (link === 'taken-down') throw takenDown(code);
  auditLinks({ action: disabled ? 'disabled' : 'enabled', sub: owner, code });
  return json(200, describeLink(publicOrigin, { ...link, code }));
});
