import * as z from 'zod/mini';
import { strictObject } from '../links/api/link-request.ts';

const enterName = 'Enter a name of 1 to 50 letters, digits and other visible characters.';
const expectedDays = 'a whole number of days from 1 to 366';

export const keyScopeSchema = z.enum(['read', 'write'], 'read or write');

/** The body of POST /api/keys. */
export const newKeySchema = strictObject(
  {
    name: z.string(enterName).check(z.trim(), z.regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,50}$/u, enterName)),
    scope: keyScopeSchema,
    expiresInDays: z
      .int(expectedDays)
      .check(z.minimum(1, expectedDays), z.maximum(366, expectedDays)),
  },
  'a JSON object such as {"name": "backup", "scope": "read", "expiresInDays": 90}',
);

/** A key without its secret. */
export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  scope: keyScopeSchema,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  lastUsedAt: z.optional(z.iso.datetime()),
});

export const createdKeySchema = z.object({ ...apiKeySchema.shape, key: z.string() });

export const listKeysAnswerSchema = z.object({ keys: z.array(apiKeySchema) });

export const revokedKeySchema = z.object({ id: z.string() });

export type KeyScope = z.infer<typeof keyScopeSchema>;
export type NewKey = z.infer<typeof newKeySchema>;
export type ApiKey = z.infer<typeof apiKeySchema>;
export type CreatedKey = z.infer<typeof createdKeySchema>;
export type ListKeysAnswer = z.infer<typeof listKeysAnswerSchema>;
