import * as z from 'zod/mini';
import { badRequestSubject } from '../http/http-error.ts';
import { codeSchema } from '../links/code-schema.ts';
import { parse } from '../validation.ts';

/** One click, the same click twice, a hundred with copies, or a broken one. */
const scenarioSchema = z.enum(['one', 'twice', 'hundred', 'broken'], {
  error: 'one, twice, hundred or broken',
});

export type Scenario = z.infer<typeof scenarioSchema>;

/** The body of POST /live/try. */
export const trySchema = z.object(
  { code: codeSchema, scenario: scenarioSchema },
  'a JSON object such as {"code": "spring", "scenario": "one"}',
);

/** Identifies a run of test clicks. */
export const runSchema = z.uuidv7('a run from an earlier response');

/** The most clicks in a scenario. One read of the table finds all their markers. */
const maxClicks = 100;

const expectedClicks = `a whole number from 0 to ${maxClicks}`;

/** The query of GET /live/try/{run}. */
export const runQuerySchema = z.object({
  clicks: z.pipe(
    z.pipe(
      z.string(expectedClicks).check(z.regex(/^\d{1,3}$/, expectedClicks)),
      z.transform(Number),
    ),
    z.int().check(z.minimum(0, expectedClicks), z.maximum(maxClicks, expectedClicks)),
  ),
});

/** Parses the body of a request to try clicks. Throws an HttpError of 400. */
export function parseTry(body: unknown) {
  return parse(trySchema, body, badRequestSubject('the body'));
}

/** Parses the run in a path. Throws an HttpError of 400. */
export function parseRun(run: unknown): string {
  return parse(runSchema, run, badRequestSubject('the run'));
}

/** Parses the query of GET /live/try/{run}. Throws an HttpError of 400. */
export function parseRunQuery(query: Readonly<Record<string, string | undefined>>) {
  return parse(runQuerySchema, query, badRequestSubject('the query'));
}
