import { keyCacheSeconds } from '../../lib/api-keys/api-key.ts';
import { keyRejectionError, unknownKeyError } from '../../lib/api-keys/api-keys.ts';
import {
  type ApiKey,
  createdKeySchema,
  listKeysAnswerSchema,
  newKeySchema,
  revokedKeySchema,
} from '../../lib/api-keys/key-schemas.ts';
import { parseBody } from '../../lib/http/request.ts';
import { answer, body, type CompleteRoute, type Route, type Routes, rejection } from './route.ts';

export const keyScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'clicktally_<46 letters and digits>',
  description:
    'An API key, which its user creates on the live page. It acts for that user, with the same limits. ' +
    `Once it's revoked, it stops working within ${keyCacheSeconds} seconds.`,
};

const key: ApiKey = {
  id: '4fZ0kQ7bXa',
  name: 'backup',
  scope: 'read' as const,
  createdAt: '2026-05-26T09:00:00.000Z',
  expiresAt: '2026-08-24T09:00:00.000Z',
};
const newKey = { name: 'backup', scope: 'read', expiresInDays: 90 } as const;

export const keyRoutes: Routes = {
  'POST /api/keys': {
    function: 'manage-keys',
    operationId: 'createKey',
    tag: 'API keys',
    summary: 'Create an API key.',
    description: 'Creates a key for programs. It needs a token, so a key cannot create others.',
    body: body(newKeySchema, { backup: newKey }),
    answers: {
      201: answer('The key, which is shown only once.', createdKeySchema, {
        created: { ...key, key: 'clicktally_4fZ0kQ7bXaEXAMPLEEXAMPLEEXAMPLEEXAMPLE00000000' },
      }),
      400: rejection("The body isn't JSON, or a field is invalid.", {
        noName: () => parseBody(newKeySchema, { ...newKey, name: '' }),
        tooLong: () => parseBody(newKeySchema, { ...newKey, expiresInDays: 1_000 }),
      }),
      403: rejection(
        "The token doesn't have the scope, and API Gateway responds without invoking a function. Or an " +
          'operator has removed the user, whose last token has not expired yet.',
        { noScope: 'Forbidden', removed: () => keyRejectionError('removed-user') },
      ),
      409: rejection('The name is in use, or the user has too many keys.', {
        sameName: () => keyRejectionError('name-taken'),
        tooMany: () => keyRejectionError('too-many'),
      }),
    },
  },
  'GET /api/keys': {
    function: 'manage-keys',
    operationId: 'listKeys',
    tag: 'API keys',
    summary: 'List your API keys.',
    description: 'Lists the keys with the hour of their latest use, but not their secrets.',
    answers: {
      200: answer('The keys.', listKeysAnswerSchema, {
        some: { keys: [{ ...key, lastUsedAt: '2026-05-27T18:00:00.000Z' }] },
      }),
      400: 'NoParameters',
    },
  },
  'DELETE /api/keys/{id}': {
    function: 'manage-keys',
    operationId: 'revokeKey',
    tag: 'API keys',
    summary: 'Revoke an API key.',
    description: `The key stops working within ${keyCacheSeconds} seconds.`,
    answers: {
      200: answer('The key is revoked.', revokedKeySchema, { revoked: { id: key.id } }),
      400: 'NoParameters',
      404: rejection("The user doesn't have a key with this id.", { unknown: unknownKeyError }),
    },
  },
};

const readOnly: Route['answers'] = { 403: 'ReadOnlyKey' };

/** The route for API keys that does the same as this one for tokens. */
export function takeKey({ answers, routeKey, ...route }: CompleteRoute): CompleteRoute {
  const { 403: _, ...others } = answers;
  return {
    ...route,
    routeKey: routeKey.replace('/', '/api/'),
    operationId: `${route.operationId}ByKey`,
    description: `Does the same as ${routeKey}, with an API key.`,
    takesKey: true,
    answers: { ...others, 401: 'InvalidKey', ...(!routeKey.startsWith('GET ') && readOnly) },
  };
}
