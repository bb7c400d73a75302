import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { keyIdPattern } from '../lib/api-keys/api-key.ts';
import { createKey, listKeys, revokeKey, unknownKeyError } from '../lib/api-keys/api-keys.ts';
import { type CreatedKey, type ListKeysAnswer, newKeySchema } from '../lib/api-keys/key-schemas.ts';
import { table } from '../lib/dynamodb/table.ts';
import { json, readJsonBody } from '../lib/http/http.ts';
import { parseBody } from '../lib/http/request.ts';
import { auditKey, withOwnerApi } from '../lib/owner-api.ts';

/** /api/keys: creates, lists and revokes the caller's API keys. They need a token, not a key. */
export const handler = withOwnerApi(async (event, user) => {
  const { method } = event.requestContext.http;
  if (method === 'POST') return create(event, user);
  if (method === 'DELETE') return revoke(event, user);
  return json(200, { keys: await listKeys(table, user) } satisfies ListKeysAnswer);
});

async function create(event: APIGatewayProxyEventV2, user: string) {
  const created = await createKey(table, user, parseBody(newKeySchema, readJsonBody(event)));
  auditKey({ action: 'created', sub: user, id: created.id });
  return json(201, created satisfies CreatedKey);
}

async function revoke({ pathParameters }: APIGatewayProxyEventV2, user: string) {
  const { id = '' } = pathParameters ?? {};
  if (!keyIdPattern.test(id) || !(await revokeKey(table, user, id))) throw unknownKeyError();
  auditKey({ action: 'revoked', sub: user, id });
  return json(200, { id });
}
