import { codeSchema } from './code-schema.ts';

export function encodeCursor(code: string): string {
  return Buffer.from(code).toString('base64url');
}

/**
 * The code that a cursor points to. Undefined unless the cursor is spelled as {@link encodeCursor}
 * does.
 */
export function decodeCursor(cursor: string): string | undefined {
  const code = Buffer.from(cursor, 'base64url').toString();
  const isCode = codeSchema.safeParse(code).success;
  return isCode && encodeCursor(code) === cursor ? code : undefined;
}
