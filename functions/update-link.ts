import { table } from '../lib/dynamodb/table.ts';
import { json, readJsonBody } from '../lib/http/http.ts';
import { withOwnerApi } from '../lib/http/owner-api.ts';
import { auditLinks } from '../lib/links/audit.ts';
import { describeLink, takenDownError } from '../lib/links/link-answer.ts';
import { notFoundError, parseCode, parseLinkUpdate } from '../lib/links/link-request.ts';
import { updateOwnLink } from '../lib/links/link-update.ts';
import { publicOrigin } from '../lib/links/public-origin.ts';

/** PATCH /links/{code}: disables or enables one of the caller's links. */
export const handler = withOwnerApi(async (event, owner) => {
  const code = parseCode(event.pathParameters?.code);
  const { disabled } = parseLinkUpdate(readJsonBody(event));
  const link = await updateOwnLink(table, owner, { code, disabled });
  if (link === 'unknown') throw notFoundError(code);
  if (link === 'taken-down') throw takenDownError(code);
  auditLinks({ action: disabled ? 'disabled' : 'enabled', sub: owner, code });
  return json(200, describeLink(publicOrigin, { ...link, code }));
});
