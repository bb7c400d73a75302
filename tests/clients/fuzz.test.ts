import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fetchByContract } from '../helpers/contract.ts';
import {
  findBodyProblems,
  findTextProblems,
  type Operation,
  operations,
  type Schema,
  schemas,
} from '../helpers/openapi.ts';
import { type PageService, startPageService } from '../helpers/page-service.ts';

// A night has more.
const numRuns = Number(process.env.FUZZ_RUNS ?? 200);

let service: PageService;
async function start(): Promise<void> {
  await service.empty();
  service.links.add('spring');
}
beforeAll(async () => {
  service = await startPageService();
});
beforeEach(start);
afterAll(() => service.stop());

/** Texts that requests are about. Random ones would rarely be accepted. */
const likely: Record<string, string[]> = {
  url: ['https://example.com/', 'https://bücher.example/?a=b#c', 'http://10.0.0.1/', 'example.com'],
  code: ['spring', 'fuzz-1', 'fuzz_2', 'links'],
  expiresAt: ['2035-01-01T00:00:00Z', '2035-05-26T18:00:00.5+02:00', '2020-01-01T00:00:00Z'],
  key: ['row-1', 'row-2', 'row-3'],
  title: ['Spring sale', ' \u202e'],
  tags: ['sale', 'Spring Sale', 'a,b', '\u202e'],
  cursor: ['c3ByaW5n'],
  from: ['2026-05-01'],
  to: ['2026-05-31'],
};

/** Values that a schema permits, as far as the document's schemas go, and a few others. */
function valuesOf(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const { type, anyOf, properties, required = [], items, maxItems = 4, maxLength = 64 } = schema;
  const { enum: members, minimum = 0, maximum = 9 } = schema;
  const anyText = fc.string({ unit: 'binary', maxLength: Number(maxLength) });
  const matching = schema.pattern ? fc.stringMatching(new RegExp(`${schema.pattern}`)) : anyText;
  const text = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...(likely[name] ?? [''])) },
    { weight: 3, arbitrary: matching },
    { weight: 1, arbitrary: anyText },
  );
  const valid = () => {
    if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((one) => valuesOf(one, name)));
    if (Array.isArray(members)) return fc.constantFrom(...members);
    if (type === 'boolean') return fc.boolean();
    if (type === 'null') return fc.constant(null);
    if (type === 'integer') return fc.integer({ min: Number(minimum), max: Number(maximum) });
    if (type === 'array') {
      const length = { maxLength: Math.min(Number(maxItems), 4) };
      return fc.array(valuesOf({ ...Object(items) }, name), length);
    }
    if (type !== 'object') return text;
    const fields = Object.entries({ ...Object(properties) }).map(
      ([field, one]) => [field, valuesOf({ ...Object(one) }, field)] as const,
    );
    // With most of their fields, objects would rarely be accepted.
    return fc.subarray(fields).chain((some) => {
      const needed = fields.filter(([field]) => [required].flat().includes(field));
      return fc.record(Object.fromEntries([...some, ...needed]));
    });
  };
  return fc.oneof({ weight: 40, arbitrary: valid() }, { weight: 1, arbitrary: fc.jsonValue() });
}

const itemSchema = schemas.ImportItem ?? {};

async function readOutcomes(response: Response): Promise<string[]> {
  const body = Object(await response.json().catch(() => ({})));
  return (body.outcomes ?? []).map(({ outcome }: { outcome: string }) => outcome);
}

interface Asked {
  code: string;
  query: Record<string, string>;
  body: unknown;
}

const toText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : `${value}`);

function requestsOf({ parameters = [], requestBody }: Operation): fc.Arbitrary<Asked> {
  const inQuery = parameters.filter((each) => each.in === 'query');
  const fields = inQuery.map(({ name, schema }) => [name, valuesOf(schema, name).map(toText)]);
  const schema = requestBody?.content['application/json']?.schema;
  return fc.record({
    code: valuesOf({ type: 'string' }, 'code').map(toText),
    query: fc.subarray(fields).chain((some) => fc.record(Object.fromEntries(some))),
    body: schema ? valuesOf(schema) : fc.constant(undefined),
  });
}

/** Whether the document permits a request's body and query. */
function isPermitted({ parameters = [], requestBody }: Operation, { query, body }: Asked) {
  const schema = requestBody?.content['application/json']?.schema;
  const ofQuery = parameters.flatMap((each) =>
    each.in === 'query' && query[each.name] !== undefined
      ? findTextProblems(each.schema, query[each.name])
      : [],
  );
  return [...ofQuery, ...(schema ? findBodyProblems(schema, body) : [])].length === 0;
}

// The routes for API keys have the same functions.
const fuzzed = [...operations].filter(([route]) => route.includes(' /links'));

test.each(fuzzed)(
  '%s responds as the document says, and accepts nothing that it forbids',
  async (route, operation) => {
    const [method = '', template = ''] = route.split(' ');
    const seen = new Map<number, number>();
    const property = fc.asyncProperty(requestsOf(operation), async (request) => {
      const code = encodeURIComponent(request.code.toWellFormed()) || 'spring';
      const url = new URL(template.replace('{code}', code).slice(1), service.url);
      url.search = `${new URLSearchParams(request.query)}`;
      const body = request.body === undefined ? undefined : JSON.stringify(request.body);
      const headers = { authorization: 'Bearer a-token', 'content-type': 'application/json' };

      const response = await fetchByContract(url, { method, headers, body });

      seen.set(response.status, (seen.get(response.status) ?? 0) + 1);
      expect(response.status).toBeLessThan(500);
      const outcomes = await readOutcomes(response);
      if (response.status === 429 || outcomes.includes('over-quota')) await start();
      if (!response.ok || isPermitted(operation, request)) return;
      // An import rejects only the items that are forbidden.
      const items: unknown[] = Object(request.body).links ?? [];
      const forbidden = items.flatMap((item, index) =>
        findBodyProblems(itemSchema, item).length > 0 ? [outcomes[index]] : [],
      );
      expect(forbidden).not.toEqual([]);
      expect(forbidden).not.toContain('created');
    });

    await fc.assert(property, { numRuns });

    // Otherwise, it would test nothing but rejections.
    expect([...seen].filter(([status]) => status < 300)).not.toEqual([]);
  },
);
