import { table } from '../lib/dynamodb/table.ts';
import { json, readJsonBody } from '../lib/http/http.ts';
import { parseLinkUpdate } from '../lib/links/api/link-request.ts';
import { publicOrigin } from '../lib/links/api/public-origin.ts';
import { parseCode } from '../lib/links/rules/code.ts';
import { readLinkPolicy } from '../lib/links/rules/destination.ts';
import { textFields } from '../lib/links/rules/link-fields.ts';
import { describeLink } from '../lib/links/storage/link-answer.ts';
import { updateOwnLink } from '../lib/links/storage/link-update.ts';
import { auditLinks, withOwnerApi } from '../lib/owner-api.ts';

const policy = readLinkPolicy();

/** PATCH /links/{code}: edits, disables or enables one of the caller's links. */
export const handler = withOwnerApi(async (event, owner) => {
  const code = parseCode(event.pathParameters?.code);
  const update = parseLinkUpdate(readJsonBody(event), policy);
  const link = await updateOwnLink(table, owner, { ...update, code });
  const { disabled } = update;
  if (textFields.some((name) => update[name] !== undefined)) {
    auditLinks({ action: 'edited', sub: owner, code });
  }
  if (disabled !== undefined) {
    auditLinks({ action: disabled ? 'disabled' : 'enabled', sub: owner, code });
  }
  return json(200, describeLink(publicOrigin, { ...link, code }));
});
