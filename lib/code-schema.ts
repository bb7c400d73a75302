import * as z from 'zod/mini';
import { codePattern } from './keys.ts';

const expectedCode = '4 to 32 letters, digits, "-" or "_"';

export const codeSchema = z.string(expectedCode).check(z.regex(codePattern, expectedCode));
