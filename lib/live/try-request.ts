import * as z from 'zod/mini';
import { badRequestSubject } from '../http/http-error.ts';
import { wholeNumberSchema } from '../http/parse-request.ts';
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

/** The query of GET /live/try/{run}. */
export const runQuerySchema = z.object({ clicks: wholeNumberSchema(0, maxClicks) });

/** Parses the run in a path. Throws an HttpError of 400. */
export function parseRun(run: unknown): string {
  return parse(runSchema, run, badRequestSubject('the run'));
}
