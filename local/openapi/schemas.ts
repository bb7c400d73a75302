import * as z from 'zod/mini';
import {
  apiKeySchema,
  createdKeySchema,
  keyScopeSchema,
  listKeysAnswerSchema,
  newKeySchema,
  revokedKeySchema,
} from '../../lib/api-keys/key-schemas.ts';
import { type Breakdown, breakdowns } from '../../lib/clicks/breakdowns.ts';
import { codeSchema } from '../../lib/code-schema.ts';
import {
  breakdownsSchema,
  countSchema,
  createLinkAnswerSchema,
  deleteLinkAnswerSchema,
  errorAnswerSchema,
  getLinkStatsAnswerSchema,
  importLinksAnswerSchema,
  linkAnswerSchema,
  listedLinkSchema,
  listLinksAnswerSchema,
  valueCountSchema,
} from '../../lib/links/answer-schemas.ts';
import {
  daySchema,
  importItemSchema,
  importSchema,
  linkUpdateSchema,
  listQuerySchema,
  newLinkSchema,
  reservedCodes,
  statsQuerySchema,
} from '../../lib/links/link-request.ts';
import { backlogAnswerSchema, messageCountSchema } from '../../lib/live/answer-schemas.ts';

interface Description {
  /** The schema's name in the document. Schemas without one are inlined. */
  id?: string;
  description: string;
}

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Record<string, unknown>;

const expiryDescription =
  'When the link expires, within ten years. Visitors then get 410, and their visits are not counted.';

// The descriptions are here rather than in lib/, so the functions don't load them.
const descriptions = z.registry<Description>();

descriptions
  .add(codeSchema, { id: 'Code', description: "A link's code. Codes are case-sensitive." })
  .add(countSchema, { id: 'Count', description: 'A number of clicks.' })
  .add(daySchema, { id: 'Day', description: 'A UTC day.' })
  .add(newLinkSchema, { id: 'NewLink', description: 'A link to create.' })
  .add(newLinkSchema.shape.url, {
    description:
      'Where the link leads: an absolute http or https URL without spaces, control characters, ' +
      'backslashes, user name or password. Its host must be public, and not belong to this service or ' +
      'to a blocked domain.',
  })
  .add(newLinkSchema.shape.code, {
    description:
      `The link's own code. It can't be one of the service's own paths (${reservedCodes.join(', ')}). ` +
      'By default, the service chooses 7 letters and digits.',
  })
  .add(newLinkSchema.shape.expiresAt, { description: `${expiryDescription} null means never.` })
  .add(newLinkSchema.shape.title, {
    description:
      'What the link is, for its owner. Control characters and those that reverse the reading ' +
      'direction are removed, and null or a blank title means none.',
  })
  .add(newLinkSchema.shape.tags, {
    description:
      'They are stored in lower case, without blanks around them and each once. null means none.',
  })
  .add(newLinkSchema.shape.forwardQuery, {
    description:
      "If true, a visitor's parameters that `url` doesn't have are appended. null means false.",
  })
  .add(newLinkSchema.shape.disabled, {
    description: 'If true, visitors get 410 instead of a redirect.',
  })
  .add(importSchema, { id: 'Import', description: 'Links to create.' })
  .add(importItemSchema, {
    id: 'ImportItem',
    description:
      'The fields of NewLink, and a key. The caller chooses it, and it identifies the link in repeated ' +
      'requests for 400 days.',
  })
  .add(importLinksAnswerSchema, {
    id: 'ImportOutcomes',
    description:
      'An outcome for each link, in their order. `existing`: an earlier request with this key created it. ' +
      '`refused` and `over-quota` have a message.',
  })
  .add(statsQuerySchema, { id: 'StatsQuery', description: 'The days to read.' })
  .add(statsQuerySchema.shape.from, { description: 'The first day. Defaults to the oldest.' })
  .add(statsQuerySchema.shape.to, { description: 'The last day. Defaults to the newest.' })
  .add(listQuerySchema, { id: 'ListQuery', description: 'The page of links to list.' })
  .add(listQuerySchema.shape.format, {
    description: 'The format of the response. Defaults to json.',
  })
  .add(listQuerySchema.shape.limit, { description: 'The maximum number of links to return.' })
  .add(listQuerySchema.shape.cursor, {
    description: 'The cursor of the previous response. The list continues after its last link.',
  })
  .add(listQuerySchema.shape.deleted, {
    description: 'If true, lists the deleted links that can be restored instead of the others.',
  })
  .add(linkUpdateSchema, { id: 'LinkUpdate', description: 'A change to a link.' })
  .add(linkUpdateSchema.shape.url, { description: 'Where the link leads from now on.' })
  .add(linkUpdateSchema.shape.expected, {
    description:
      'What you think the link has. If it has anything else, the response is 409 and nothing changes, ' +
      "so you don't overwrite another change. null means that the link has none.",
  })
  .add(linkAnswerSchema, {
    id: 'Link',
    description:
      'A link as its owner sees it, with its clicks of all time. `people` and `bots` are the clicks by ' +
      'people and by bots, not unique visitors. Clicks without a known visitor are in neither.',
  })
  .add(listedLinkSchema, {
    id: 'ListedLink',
    description: 'A link with its clicks of the current UTC day in `today`.',
  })
  .add(listLinksAnswerSchema, { id: 'Links', description: 'Links of the caller, newest first.' })
  .add(listLinksAnswerSchema.shape.cursor, { description: 'Present only if there are more links.' })
  .add(createLinkAnswerSchema, { id: 'CreatedLink', description: 'The new link.' })
  .add(deleteLinkAnswerSchema, {
    id: 'Deletion',
    description: 'When the link was deleted, and until when it can be restored at least.',
  })
  .add(getLinkStatsAnswerSchema, {
    id: 'LinkStats',
    description:
      "A link's clicks. `clicks` is of all time, and the other numbers are of the range. `people` and " +
      '`bots` are the clicks by people and by bots, not unique visitors.',
  })
  .add(getLinkStatsAnswerSchema.shape.campaigns, { description: 'Clicks by UTM parameter.' })
  .add(errorAnswerSchema, { id: 'Error', description: 'The body of every error.' })
  .add(errorAnswerSchema.shape.fields, {
    description: "What's wrong with each field of the request, for the user of a form.",
  });

descriptions
  .add(valueCountSchema, { id: 'ValueCount', description: "A value's number of clicks." })
  .add(breakdownsSchema, {
    id: 'Breakdowns',
    description:
      "The range's clicks by each breakdown: the values that have clicks, hours in order and others " +
      'by frequency. `unknown` counts clicks without a known value. Later versions may add ' +
      'breakdowns and values.',
  });

descriptions
  .add(messageCountSchema, { id: 'MessageCount', description: 'A number of messages.' })
  .add(backlogAnswerSchema, {
    id: 'Backlog',
    description: 'The messages waiting in all ClickQueues, and those in both dead-letter queues.',
  })
  .add(backlogAnswerSchema.shape.readAt, { description: 'When the queues were read.' });

descriptions
  .add(newKeySchema, { id: 'NewApiKey', description: 'An API key to create.' })
  .add(newKeySchema.shape.name, {
    description: "1 to 50 characters. Two of a user's valid keys can't have the same name.",
  })
  .add(newKeySchema.shape.expiresInDays, { description: 'When the key expires.' })
  .add(keyScopeSchema, {
    id: 'ApiKeyScope',
    description: '`read` permits only GET. `write` permits all.',
  })
  .add(apiKeySchema, { id: 'ApiKey', description: 'An API key without its secret.' })
  .add(apiKeySchema.shape.lastUsedAt, {
    description: 'The hour in which the key was last used. Missing if it never was.',
  })
  .add(createdKeySchema, {
    id: 'CreatedApiKey',
    description: "The new key. `key` has the secret, and can't be read again.",
  })
  .add(listKeysAnswerSchema, { id: 'ApiKeys', description: "The user's keys, newest first." })
  .add(revokedKeySchema, { id: 'RevokedApiKey', description: 'The revoked key.' });

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

/** The document's schemas by name. They refer to each other by name. */
export function describeSchemas(): Record<string, JsonSchema> {
  // Clients of this version must accept later versions' responses, which may have more fields. Only
  // responses contain transformed values. Requests are described as they are sent.
  const { LinkUpdate, ImportItem, ...others } = convert('input');
  const { properties, required, ...rest } = others.NewLink ?? {};
  return {
    ...others,
    // An expectation alone isn't a change.
    LinkUpdate: {
      ...LinkUpdate,
      ...{ minProperties: 1, dependentSchemas: { expected: { minProperties: 2 } } },
    },
    // The code accepts other items, because a bad one must not stop the others.
    ImportItem: {
      ...rest,
      ...ImportItem,
      properties: { ...Object(ImportItem?.properties), ...Object(properties) },
      required: ['key', ...[required].flat()],
      additionalProperties: false,
    },
  };
}

/** The schemas of queries by name, with numbers as types although HTTP sends text. */
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
 * A schema's name in the document.
 * @throws {Error} if it doesn't have one.
 */
export function nameOf(schema: z.ZodMiniType): string {
  const { id } = descriptions.get(schema) ?? {};
  if (id) return id;
  throw new Error('expected the schema to have an id in local/openapi/schemas.ts; got none');
}
