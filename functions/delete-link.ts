import { table } from '../lib/dynamodb/table.ts';
import { json } from '../lib/http/http.ts';
import { publicOrigin } from '../lib/links/api/public-origin.ts';
import { parseCode } from '../lib/links/rules/code.ts';
import { describeLink } from '../lib/links/storage/link-answer.ts';
import { deleteOwnLink, restoreOwnLink } from '../lib/links/storage/link-deletion.ts';
import { auditLinks, withOwnerApi } from '../lib/owner-api.ts';

/**
 * DELETE /links/{code} deletes one of the caller's links, and POST /links/{code}/restore undoes it.
 * Repeating either changes nothing.
 */
export const handler = withOwnerApi(async (event, owner) => {
  const code = parseCode(event.pathParameters?.code);
  if (event.requestContext.http.method === 'DELETE') {
    const deletion = await deleteOwnLink(table, owner, code);
    auditLinks({ action: 'deleted', sub: owner, code });
    return json(200, deletion);
  }
  const link = await restoreOwnLink(table, owner, code);
  auditLinks({ action: 'restored', sub: owner, code });
  return json(200, describeLink(publicOrigin, { ...link, code }));
});
