import { table } from '../lib/dynamodb/table.ts';
import { json } from '../lib/http/http.ts';
import { auditLinks, withOwnerApi } from '../lib/http/owner-api.ts';
import { parseCode } from '../lib/links/code.ts';
import { describeLink } from '../lib/links/link-answer.ts';
import { deleteOwnLink, restoreOwnLink } from '../lib/links/link-deletion.ts';
import { publicOrigin } from '../lib/links/public-origin.ts';

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
