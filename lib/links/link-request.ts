import * as z from 'zod/mini';
import { codePattern } from '../clicks/click.ts';
import { HttpError, show } from '../http/http.ts';

const maxUrlLength = 2_048;
const expectedUrl = 'an absolute http or https URL';
const expectedLength = `at most ${maxUrlLength} characters long, percent-encoding included`;
const expectedCode = '4 to 32 letters, digits, "-" or "_"';
const expectedDate = 'a date such as 2026-05-26';

const fitsLength = (url: string) => url.length <= maxUrlLength;

const urlSchema = z
  .pipe(
    z.string(expectedUrl).check(
      z.refine(fitsLength, { error: expectedLength, abort: true }),
      z.refine((url) => !/[\s\p{Cc}]/u.test(url) && url.isWellFormed(), {
        error: `${expectedUrl} without spaces or control characters`,
        abort: true,
      }),
      z.refine((url) => /^https?:\/\/[^/\\?#]/i.test(url) && URL.canParse(url), {
        error: expectedUrl,
        abort: true,
      }),
    ),
    z.transform(encodeUrl),
  )
  .check(z.refine(fitsLength, expectedLength));

const newLinkSchema = z.object(
  {
    url: urlSchema,
    code: z.optional(z.string(expectedCode).check(z.regex(codePattern, expectedCode))),
  },
  'a JSON object such as {"url": "https://example.com"}',
);

const dayRangeSchema = z
  .object({ from: z.optional(z.iso.date(expectedDate)), to: z.optional(z.iso.date(expectedDate)) })
  .check(
    z.refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
      path: ['from'],
      error: 'on or before to',
    }),
  );

/** UTC days, yyyy-mm-dd, both included; a side that is not given is open. */
export type DayRange = z.output<typeof dayRangeSchema>;

/** Checks the body of a request for a new link. Throws an {@link HttpError} of 400. */
export function parseNewLink(body: unknown) {
  return parse(newLinkSchema, body, 'The body');
}

/** Checks the query of a request for statistics. Throws an {@link HttpError} of 400. */
export function parseDayRange(query: Readonly<Record<string, string | undefined>> = {}): DayRange {
  return parse(dayRangeSchema, query, 'The query');
}

/** Checks a code in a path; one that no link can have is not found. Throws an {@link HttpError}. */
export function parseCode(code = ''): string {
  if (codePattern.test(code)) return code;
  throw notFound(code);
}

/** The answer for a code without a link. */
export function notFound(code: string): HttpError {
  return new HttpError(404, `There is no link with the code ${show(code)}.`);
}

/** A header holds only ASCII, so what lies beyond it is percent-encoded; the rest stays as given. */
function encodeUrl(url: string): string {
  return /^[\x21-\x7e]*$/.test(url) ? url : new URL(url).href;
}

function parse<T>(schema: z.ZodMiniType<T>, value: unknown, whole: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(({ path: [field], message }) => {
    const came = field === undefined ? value : Object(value)[field];
    return `${field === undefined ? whole : String(field)} must be ${message}, but it is ${show(came)}`;
  });
  throw new HttpError(400, `${reasons.join('; ')}.`);
}
