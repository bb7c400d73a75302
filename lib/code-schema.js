import * as z from 'zod/mini';
import { codePattern, maxCodeLength } from './keys.ts';
const expectedCode = `1 to ${maxCodeLength} letters, digits, "-", "_" or dots between them`;
export const codeSchema = z
    .string(expectedCode)
    .check(z.maxLength(maxCodeLength, expectedCode), z.regex(codePattern, expectedCode));
