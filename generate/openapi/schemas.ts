import * as z from 'zod/mini';
import * as keys from '../../lib/api-keys/key-schemas.ts';
import { type Breakdown, breakdowns } from '../../lib/clicks/breakdowns.ts';
import { codeSchema } from '../../lib/code-schema.ts';
import * as answers from '../../lib/links/api/answer-schemas.ts';
import { creationKeySchema } from '../../lib/links/api/creation-key.ts';
import * as requests from '../../lib/links/api/link-request.ts';
import { lines, mapLines } from '../../lib/links/rules/link-fields.ts';
import { reservedCodes } from '../../lib/links/rules/reserved-codes.ts';
import { creationMarkerDays } from '../../lib/links/storage/creation-marker.ts';
import { backlogAnswerSchema, messageCountSchema } from '../../lib/live/messages.ts';
import { overviewQuerySchema } from '../../lib/overview/overview-request.ts';
import { overviewAnswerSchema } from '../../lib/overview/overview-schemas.ts';
import { overviewFields, overviewParameters, overviewSchemas } from './overview-schemas.ts';
import { mapValues } from './route.ts';

interface Description {
  /** The schema's name in the document. Schemas without one are inlined. */
  id?: string;
  description: string;
}

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Record<string, unknown>;

const expiryDescription =
  'When the link expires, within ten years. Visitors then get 410, and their visits are not counted.';

const lineRules =
  'Control characters and those that reverse the reading direction are removed, and null or a blank ' +
  'text means none.';

// The descriptions are here rather than in lib/, so the functions don't load them.
const descriptions = z.registry<Description>();

const named: Record<string, [schema: z.ZodMiniType, description: string]> = {
  Code: [codeSchema, "A link's code. Codes are case-sensitive."],
  Count: [answers.countSchema, 'A number of clicks.'],
  Day: [requests.daySchema, 'A UTC day.'],
  NewLink: [requests.newLinkSchema, 'A link to create.'],
  CreationKey: [creationKeySchema, 'Identifies the creation of a link among those of its owner.'],
  Import: [requests.importSchema, 'Links to create.'],
  ImportItem: [
    requests.importItemSchema,
    'The fields of NewLink, and a key, as in the header Idempotency-Key of a single creation. It identifies ' +
      `the link in repeated requests for ${creationMarkerDays} days, even if only its note differs.`,
  ],
  ImportOutcomes: [
    answers.importLinksAnswerSchema,
    'An outcome for each link, in their order. `existing`: an earlier request with this key created it. ' +
      '`refused` and `over-quota` have a message. `ready`: a dry run found nothing against it.',
  ],
  StatsQuery: [requests.statsQuerySchema, 'The days to read.'],
  ListQuery: [requests.listQuerySchema, 'The page of links to list.'],
  LinkUpdate: [requests.linkUpdateSchema, 'A change to a link.'],
  Link: [
    answers.linkAnswerSchema,
    'A link as its owner sees it, with its clicks of all time. `people` and `bots` are the clicks by ' +
      'people and by bots, not unique visitors. Clicks without a known visitor are in neither.',
  ],
  ListedLink: [
    answers.listedLinkSchema,
    'A link with its clicks of the current UTC day in `today`.',
  ],
  Links: [answers.listLinksAnswerSchema, 'Links of the caller, newest first.'],
  CreatedLink: [answers.createLinkAnswerSchema, 'The new link.'],
  Deletion: [
    answers.deleteLinkAnswerSchema,
    'When the link was deleted, and until when it can be restored at least.',
  ],
  LinkStats: [
    answers.getLinkStatsAnswerSchema,
    "A link's clicks. `clicks` is of all time, and the other numbers are of the range. `people` and " +
      '`bots` are the clicks by people and by bots, not unique visitors.',
  ],
  CampaignValue: [
    answers.campaignValueSchema,
    "A value's number of clicks, and those by people. `undivided` clicks are by people or by bots: they were " +
      'counted before campaigns told them apart.',
  ],
  Campaigns: [
    answers.campaignsSchema,
    'Clicks by UTM parameter, with its 1,000 most frequent values.',
  ],
  ...overviewSchemas,
  Error: [answers.errorAnswerSchema, 'The body of every error.'],
  ValueCount: [answers.valueCountSchema, "A value's number of clicks."],
  Breakdowns: [
    answers.breakdownsSchema,
    "The range's clicks by each breakdown: the values that have clicks, hours in order and others " +
      'by frequency. `unknown` counts clicks without a known value. A click by a bot has the value `bot` of ' +
      'the breakdowns visitor, device, referrer and country, and no other. Of earlier clicks by bots, only the ' +
      'visitor is `bot`: there are `bot` of visitor minus `bot` of device. Later versions may add breakdowns ' +
      'and values.',
  ],
  MessageCount: [messageCountSchema, 'A number of messages.'],
  Backlog: [
    backlogAnswerSchema,
    'The messages waiting in all ClickQueues, and those in both dead-letter queues.',
  ],
  NewApiKey: [keys.newKeySchema, 'An API key to create.'],
  ApiKeyScope: [keys.keyScopeSchema, '`read` permits only GET. `write` permits all.'],
  ApiKey: [keys.apiKeySchema, 'An API key without its secret.'],
  CreatedApiKey: [
    keys.createdKeySchema,
    "The new key. `key` has the secret, and can't be read again.",
  ],
  ApiKeys: [keys.listKeysAnswerSchema, "The user's keys, newest first."],
  RevokedApiKey: [keys.revokedKeySchema, 'The revoked key.'],
};
for (const [id, [schema, description]] of Object.entries(named)) {
  descriptions.add(schema, { id, description });
}

describeFields(requests.newLinkSchema, {
  url:
    'Where the link leads: an absolute http or https URL without spaces, control characters, ' +
    'backslashes, user name or password. Its host must be public, and not belong to this service or ' +
    'to a blocked domain.',
  code:
    `The link's own code. It can't be one of the service's own paths (${reservedCodes.join(', ')}) or a ` +
    'file that programs ask for by themselves, such as favicon.ico or one that ends in .txt, .html, .xml, .json or .js. ' +
    'By default, the service chooses 7 letters and digits.',
  expiresAt: `${expiryDescription} null means never.`,
  ...mapLines((name) => `Says ${lines[name].about}. ${lineRules}`),
  tags: 'They are stored in lower case, without blanks around them and each once. null means none.',
  forwardQuery:
    "If true, a visitor's parameters that `url` doesn't have are appended. null means false.",
  disabled: 'If true, visitors get 410 instead of a redirect.',
});
describeFields(requests.importSchema, {
  dryRun: 'If true, nothing is created, and the outcomes say what would happen.',
});
describeFields(answers.importLinksAnswerSchema, {
  remaining: 'The number of links that you may still create today (UTC). Only in a dry run.',
});
describeFields(requests.statsQuerySchema, {
  from: 'The first day. Defaults to the oldest.',
  to: 'The last day. Defaults to the newest.',
});
describeFields(requests.listQuerySchema, {
  format: 'The format of the response. Defaults to json.',
  limit: 'The maximum number of links to return.',
  cursor: 'The cursor of the previous response. The list continues after its last link.',
  deleted: 'If true, lists the deleted links that can be restored instead of the others.',
});
describeFields(requests.linkUpdateSchema, {
  url: 'Where the link leads from now on.',
  expected:
    'What you think the link has. If it has anything else, the response is 409 and nothing changes, ' +
    "so you don't overwrite another change. null means that the link has none.",
});
describeFields(answers.listLinksAnswerSchema, { cursor: 'Present only if there are more links.' });
describeFields(overviewQuerySchema, overviewParameters);
describeFields(overviewAnswerSchema, overviewFields);
describeFields(answers.errorAnswerSchema, {
  fields: "What's wrong with each field of the request, for the user of a form.",
});
describeFields(backlogAnswerSchema, { readAt: 'When the queues were read.' });
describeFields(keys.newKeySchema, {
  name: "1 to 50 characters. Two of a user's valid keys can't have the same name.",
  expiresInDays: 'When the key expires.',
});
describeFields(keys.apiKeySchema, {
  lastUsedAt: 'The hour in which the key was last used. Missing if it never was.',
});
describeFields(
  answers.breakdownsSchema,
  Object.fromEntries(breakdowns.map((breakdown) => [breakdown.name, listValues(breakdown)])),
);

function describeFields<Shape extends Record<string, z.ZodMiniType>>(
  { shape }: { shape: Shape },
  texts: { [name in keyof Shape]?: string },
): void {
  for (const [name, description] of Object.entries<string | undefined>(texts)) {
    const schema = shape[name];
    if (schema && description) descriptions.add(schema, { description });
  }
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
      minProperties: 1,
      dependentSchemas: { expected: { minProperties: 2 } },
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
  return mapValues(schemas, ({ $schema, $id, ...schema }) => schema);
}

/**
 * A schema's name in the document.
 * @throws {Error} if it doesn't have one.
 */
export function nameOf(schema: z.ZodMiniType): string {
  const { id } = descriptions.get(schema) ?? {};
  if (id) return id;
  throw new Error('expected the schema to have an id in generate/openapi/schemas.ts; got none');
}
