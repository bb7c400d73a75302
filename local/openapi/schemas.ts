import * as z from 'zod/mini';
import { type Breakdown, breakdowns } from '../../lib/clicks/breakdowns.ts';
import { codeSchema } from '../../lib/keys.ts';
import {
  breakdownsSchema,
  countSchema,
  createLinkAnswerSchema,
  errorAnswerSchema,
  getLinkStatsAnswerSchema,
  linkAnswerSchema,
  listLinksAnswerSchema,
  valueCountSchema,
} from '../../lib/links/answer-schemas.ts';
import {
  dayRangeSchema,
  daySchema,
  linkUpdateSchema,
  listQuerySchema,
  newLinkSchema,
} from '../../lib/links/link-request.ts';
import { expectedFreeCode } from '../../lib/links/reserved-codes.ts';
import {
  backlogAnswerSchema,
  messageCountSchema,
  runAnswerSchema,
  tryAnswerSchema,
} from '../../lib/live/answer-schemas.ts';
import { runQuerySchema, runSchema, trySchema } from '../../lib/live/try-request.ts';

interface Description {
  /** The schema's name in the document; a schema without one is written where it is used. */
  id?: string;
  description: string;
}

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Record<string, unknown>;

// What the document says about the schemas is here and not in lib/, so no function loads it.
const descriptions = z.registry<Description>();

descriptions
  .add(codeSchema, { id: 'Code', description: "A link's code. Capital letters differ from small." })
  .add(countSchema, { id: 'Count', description: 'A number of clicks.' })
  .add(daySchema, { id: 'Day', description: 'A UTC day.' })
  .add(newLinkSchema, { id: 'NewLink', description: 'A link to create.' })
  .add(newLinkSchema.shape.url, {
    description:
      'Where the link leads: an absolute http or https URL without spaces, control characters, ' +
      'backslashes, user name or password. Its host is public, and neither of this service nor of ' +
      'a domain that it blocks.',
  })
  .add(newLinkSchema.shape.code, {
    description:
      `The link's own code: ${expectedFreeCode}. ` +
      'Without one, the service chooses 7 letters and digits.',
  })
  .add(dayRangeSchema, { id: 'DayRange', description: 'A range of days.' })
  .add(dayRangeSchema.shape.from, { description: 'The first day. Without it, the oldest.' })
  .add(dayRangeSchema.shape.to, { description: 'The last day. Without it, the newest.' })
  .add(listQuerySchema, { id: 'ListQuery', description: 'Which links to list.' })
  .add(listQuerySchema.shape.limit, { description: 'How many links the answer may have.' })
  .add(listQuerySchema.shape.cursor, {
    description: 'The cursor of the answer before, to go on after its last link.',
  })
  .add(linkUpdateSchema, { id: 'LinkUpdate', description: 'What to change.' })
  .add(linkUpdateSchema.shape.disabled, {
    description: 'Whether visitors get 410 instead of a redirect.',
  })
  .add(linkAnswerSchema, { id: 'Link', description: 'A link as its owner sees it.' })
  .add(listLinksAnswerSchema, { id: 'Links', description: 'Links of the caller, newest first.' })
  .add(listLinksAnswerSchema.shape.cursor, { description: 'Only if there are more links.' })
  .add(createLinkAnswerSchema, { id: 'CreatedLink', description: 'The new link.' })
  .add(getLinkStatsAnswerSchema, { id: 'LinkStats', description: "A link's clicks." })
  .add(errorAnswerSchema, { id: 'Error', description: 'The body of every error.' });

descriptions
  .add(valueCountSchema, { id: 'ValueCount', description: 'How often a value occurs.' })
  .add(breakdownsSchema, {
    id: 'Breakdowns',
    description:
      'The clicks of the range by each breakdown: the values that occur, hours by time and others ' +
      'by frequency. `unknown` counts what nothing is known about. A later version may have more ' +
      'breakdowns, and more values.',
  });

descriptions
  .add(messageCountSchema, { id: 'MessageCount', description: 'A number of messages.' })
  .add(backlogAnswerSchema, {
    id: 'Backlog',
    description: 'The messages that wait in all ClickQueues, and those in both dead-letter queues.',
  })
  .add(backlogAnswerSchema.shape.readAt, { description: 'When the queues were read.' })
  .add(runSchema, { id: 'Run', description: 'Names a run of clicks to try.' })
  .add(trySchema, { id: 'Try', description: 'What to try.' })
  .add(tryAnswerSchema, {
    id: 'StartedTry',
    description: 'The messages that were sent, and how many clicks of them will count.',
  })
  .add(tryAnswerSchema.shape.reason, { description: 'Why the message will be set aside.' })
  .add(tryAnswerSchema.shape.attempts, {
    description: 'How often a message is tried before it is set aside.',
  })
  .add(tryAnswerSchema.shape.attemptSeconds, {
    description: 'The seconds from one attempt to the next.',
  })
  .add(runAnswerSchema, { id: 'RunCount', description: "A run's clicks that are counted so far." })
  .add(runQuerySchema, { id: 'RunQuery', description: 'Which clicks to look for.' })
  .add(runQuerySchema.shape.clicks, { description: 'How many clicks the run has.' });

for (const breakdown of breakdowns) {
  const schema = breakdownsSchema.shape[breakdown.name];
  if (schema) descriptions.add(schema, { description: listValues(breakdown) });
}

function listValues(breakdown: Breakdown): string {
  const names = Object.keys(breakdown.attributes);
  // JavaScript puts keys that are whole numbers first.
  if ('attributeAt' in breakdown) names.sort();
  return `The values: ${[...new Set([...names, 'unknown'])].join(', ')}.`;
}

/** The schemas by their names in the document. Each refers to others by name. */
export function describeSchemas(): Record<string, JsonSchema> {
  // A client of this version must read the answers of a later one, which may have more fields. Only
  // what a transform makes of a value is an answer's: requests are described as they come.
  return convert('input');
}

/** The schemas of queries by their names: with numbers, for which HTTP has texts. */
export function describeQueries(): Record<string, JsonSchema> {
  return convert('output');
}

function convert(io: 'input' | 'output'): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(descriptions, {
    metadata: descriptions,
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
  });
  const entries = Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [
    name,
    schema,
  ]);
  return Object.fromEntries(entries);
}

/**
 * The name of a schema in the document.
 * @throws {Error} if the schema has none.
 */
export function nameOf(schema: z.ZodMiniType): string {
  const { id } = descriptions.get(schema) ?? {};
  if (id) return id;
  throw new Error('expected the schema to have an id in local/openapi/schemas.ts; got none');
}
