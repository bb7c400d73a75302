import * as z from 'zod/mini';
import { readEnv } from '../config.ts';

const expectedOrigin = 'an origin such as https://go.example.com';
const originVariables = z.object({
  PUBLIC_ORIGIN: z.string(expectedOrigin).check(z.regex(/^https?:\/\/[^/?#@\s]+$/, expectedOrigin)),
});

/**
 * The scheme and host of every short link. They aren't read from the request, whose sender controls
 * the headers.
 */
export const { PUBLIC_ORIGIN: publicOrigin } = readEnv(originVariables);
