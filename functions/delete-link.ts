import { table } from '../lib/dynamodb/table.ts';
import { json } from '../lib/http/http.ts';
import { auditLinks, withOwnerApi } from '../lib/http/owner-api.ts';
import type { DeleteLinkAnswer, LinkAnswer } from '../lib/links/answer-schemas.ts';
import { notFoundError, parseCode } from '../lib/links/code.ts';
import { describeLink } from '../lib/links/link-answer.ts';
import { deleteOwnLink, describeDeletion, restoreOwnLink } from '../lib/links/link-deletion.ts';
import { publicOrigin } from '../lib/links/public-origin.ts';

/**
 * DELETE /links/{code} deletes one of the caller's links, and POST /links/{code}/restore undoes it.
 * Repeating either changes nothing.
 */
export const handler = withOwnerApi(async (event, owner) => {
  const code = parseCode(event.pathParameters?.code);
  if (event.requestContext.http.method === 'DELETE') {
    const deletion = await deleteOwnLink(table, owner, code);
    if (!deletion) throw notFoundError(code);
    auditLinks({ action: 'deleted', sub: owner, code });
    return json(200, describeDeletion(deletion) satisfies DeleteLinkAnswer);
  }
  const link = await restoreOwnLink(table, owner, code);
  if (!link) throw notFoundError(code);
  auditLinks({ action: 'restored', sub: owner, code });
  return json(200, describeLink(publicOrigin, { ...link, code }) satisfies LinkAnswer);
});
