import * as z from 'zod/mini';
import { HttpError } from '../../http/http-error.ts';
import { parseBody, wholeNumberSchema } from '../../http/request.ts';
import { codePattern, maxCodeLength } from '../../keys.ts';
import { show } from '../../validation.ts';
import { type LinkPolicy, rejectDestination } from '../rules/destination.ts';
import { fieldNames, linkFields, mapLines, type TextField } from '../rules/link-fields.ts';
import { isReserved } from '../rules/reserved-codes.ts';
import {
  flagSchema,
  lineSchema,
  maxUrlLength,
  tagsSchema,
  urlSchema,
} from '../rules/text-schemas.ts';
import { creationKeySchema } from './creation-key.ts';

/** An object without other fields. For an unknown one, the error names the field that was meant. */
export function strictObject<T extends z.core.$ZodLooseShape>(shape: T, expectation: string) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? explain(issue.keys[0] ?? '', Object.keys(shape))
        : expectation,
  });
}

function explain(unknown: string, known: string[]): string {
  const meant = fieldNames.find(
    (name) => name !== unknown && known.includes(name) && linkFields[name].otherNames.test(unknown),
  );
  const remedy = meant ? `use "${meant}"` : `its fields are ${known.join(', ')}`;
  return `an object without ${show(unknown)} (${remedy})`;
}

const changeCode = `Use 1 to ${maxCodeLength} letters, digits, hyphens, underscores, or dots between them.`;
const expectedDate = 'a date such as 2026-05-26';
const enterTime = 'Enter a time with its time zone, such as 2026-05-26T18:00:00Z.';
const maxExpiryYears = 10;

const newCodeSchema = z.string(changeCode).check(
  z.refine((code) => !code.includes('/'), {
    error: "A code can't have a slash. Choose another one.",
    abort: true,
  }),
  z.maxLength(maxCodeLength, { error: changeCode, abort: true }),
  z.regex(codePattern, { error: changeCode, abort: true }),
  z.refine((code) => !isReserved(code), 'This code is reserved. Choose another one.'),
);

const futureSchema = z.pipe(
  z.iso.datetime({ offset: true, error: enterTime, abort: true }).check(
    z.refine((time) => Date.parse(time) > Date.now(), {
      error: 'Enter a time in the future.',
      abort: true,
    }),
    z.refine((time) => Date.parse(time) < yearsFromNow(maxExpiryYears), {
      error: `Enter a time within ${maxExpiryYears} years, or none for a link that never expires.`,
    }),
  ),
  z.transform((time) => new Date(time).toISOString()),
);

/** Texts may be null if a link can be without them. */
const texts = {
  url: urlSchema,
  expiresAt: z.nullable(futureSchema),
  ...mapLines((name) => z.nullable(lineSchema(name))),
  tags: z.nullable(tagsSchema),
  forwardQuery: z.nullable(flagSchema),
} satisfies Record<TextField, unknown>;
const changedTexts = z.partial(z.object(texts)).shape;
const { url: _, ...optionalTexts } = changedTexts;
const disabledSchema = z.optional(z.boolean('true or false'));

export const newLinkSchema = strictObject(
  {
    url: urlSchema,
    code: z.optional(newCodeSchema),
    ...optionalTexts,
    disabled: disabledSchema,
  },
  'a JSON object such as {"url": "https://example.com"}',
);

const maxImportLinks = 100;
/** Fits 100 links with the longest URLs. */
export const maxImportBytes = 262_144;
const expectedImport = `1 to ${maxImportLinks} links with different keys`;

export const importItemSchema = z.looseObject(
  { key: creationKeySchema },
  'an object such as {"key": "row-1", "url": "https://example.com"}',
);

/** The links are checked one by one, so that a bad one doesn't stop the others. */
export const importSchema = z.object(
  {
    links: z.array(importItemSchema, expectedImport).check(
      z.minLength(1, expectedImport),
      z.maxLength(maxImportLinks, expectedImport),
      z.refine(
        (links) => new Set(links.map(({ key }) => key)).size === links.length,
        expectedImport,
      ),
    ),
    dryRun: z.optional(z.boolean('true or false')),
  },
  'a JSON object such as {"links": [{"key": "row-1", "url": "https://example.com"}]}',
);

/** A field of an earlier response: ASCII, and never longer than a URL. */
const earlier = (expectation: string) =>
  z
    .string(expectation)
    .check(z.maxLength(maxUrlLength, expectation), z.regex(/^[!-~]*$/, expectation));
const earlierTexts = {
  ...texts,
  url: earlier('the URL of an earlier response'),
  expiresAt: z.nullable(earlier('a time of an earlier response, or null')),
};
const expectedUpdate = 'a JSON object such as {"disabled": true}';

export const linkUpdateSchema = strictObject(
  {
    ...changedTexts,
    disabled: disabledSchema,
    expected: z.optional(
      strictObject(
        z.partial(z.object(earlierTexts)).shape,
        'an object such as {"url": "https://example.com/"}',
      ),
    ),
  },
  expectedUpdate,
).check(
  z.refine(
    ({ expected: _, ...changes }) => Object.values(changes).some((to) => to !== undefined),
    `${expectedUpdate} with a change`,
  ),
);

export type CreateLinkRequest = z.infer<typeof newLinkSchema>;
export type ImportItem = z.infer<typeof importItemSchema>;
export type ImportRequest = z.infer<typeof importSchema>;
export type UpdateLinkRequest = z.infer<typeof linkUpdateSchema>;

export const formatSchema = z.optional(z.enum(['json', 'csv'], 'json or csv'));

/** What other services call our parameters. */
const otherParameters: Readonly<Record<string, RegExp>> = {
  format: /format|type|accept|output|csv|json/i,
  limit: /limit|size|count|per_?page|max|take|^first|top/i,
  cursor: /cursor|page|after|next|offset|skip|token/i,
  deleted: /delet|trash|archiv|status/i,
  from: /from|start|since|begin|after|period/i,
  to: /^to|to$|end|until|before/i,
  compare: /compar|previous/i,
  search: /search|query|^q$|text/i,
  tag: /^tags$|label/i,
  values: /breakdown|campaign|source|countr|device|utm/i,
};

/** A query without other parameters. For an unknown one, the error names the parameter that was meant. */
export function strictQuery<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const [unknown = ''] = issue.keys;
      const known = Object.keys(shape);
      const meant = known.find((name) => otherParameters[name]?.test(unknown));
      const remedy = meant ? `use "${meant}"` : `its parameters are ${known.join(', ')}`;
      return `one without ${show(unknown)} (${remedy})`;
    },
  });
}

/** The query of GET /links. */
export const listQuerySchema = strictQuery({
  format: formatSchema,
  limit: z._default(wholeNumberSchema(1, 1_000), 25),
  cursor: z.optional(z.string()),
  deleted: z.optional(z.literal('true', 'true')),
});

/** A UTC day, yyyy-mm-dd. */
export const daySchema = z.iso.date(expectedDate);

/** The query of GET /links/{code}/stats. Both days are inclusive, and a missing end is open. */
export const statsQuerySchema = strictQuery({
  format: formatSchema,
  from: z.optional(daySchema),
  to: z.optional(daySchema),
}).check(
  z.refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['from'],
    error: 'a date on or before "to"',
  }),
);

/** Parses the body of a request for a new link. Throws an {@link HttpError} of 400. */
export function parseNewLink(body: unknown, policy: LinkPolicy): CreateLinkRequest {
  const link = parseBody(newLinkSchema, body);
  checkDestination(link.url, policy);
  return link;
}

function checkDestination(url: string, policy: LinkPolicy): void {
  const reason = rejectDestination(url, policy);
  if (reason !== undefined) throw new HttpError(400, reason, {}, { url: reason });
}

/** Parses the body of a request to update a link. Throws an {@link HttpError} of 400. */
export function parseLinkUpdate(body: unknown, policy: LinkPolicy): UpdateLinkRequest {
  const update = parseBody(linkUpdateSchema, body);
  if (update.url !== undefined) checkDestination(update.url, policy);
  return update;
}

function yearsFromNow(years: number): number {
  const now = new Date();
  return now.setUTCFullYear(now.getUTCFullYear() + years);
}
