import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020, type Schema } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { projectDir } from '../../local/engines/serverless.ts';

interface Refer {
  $ref: string;
}

interface Content {
  schema: Schema;
  examples: Record<string, { value: unknown }>;
}

type ContentByType = Record<string, Content>;

interface Answer {
  headers?: Record<string, Refer>;
  content?: ContentByType;
}

export interface Operation {
  operationId: string;
  security?: object[];
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: ContentByType };
  responses: Record<string, Refer | Answer>;
}

interface OpenApiDocument {
  security: object[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    headers: Record<string, { required: boolean; schema: Schema }>;
    responses: Record<string, Answer>;
  };
}

/** What a caller sent: the parts that the document describes. */
export interface SentRequest {
  path?: Record<string, string | undefined>;
  query?: Record<string, string | undefined>;
  body?: unknown;
}

/** What came back; the names of the headers are in small letters. */
export interface ReceivedAnswer {
  statusCode: number | undefined;
  headers: Record<string, unknown>;
  body: unknown;
}

const file = path.join(projectDir, 'docs/openapi.yml');

/** The document of the API. */
export const openApi: OpenApiDocument = parse(readFileSync(file, 'utf8'));

/** The operations by their routes, such as "POST /links". */
export const operations = new Map(
  Object.entries(openApi.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${template}`,
      operation,
    ]),
  ),
);

const closed = createAjv(closeObjects(openApi) as object);
const open = createAjv(openApi);

/**
 * Checks an answer, and the request if it succeeded, against docs/openapi.yml. A field that the
 * document does not have is wrong too: it may be one that nobody must see.
 * @throws {Error} that names everything that differs.
 */
export function checkContract(route: string, request: SentRequest, answer: ReceivedAnswer): void {
  const operation = operations.get(route);
  if (!operation) throw new Error(`expected docs/openapi.yml to have the route ${route}`);
  const succeeded = Number(answer.statusCode) < 400;
  const problems = [
    ...findAnswerProblems(operation, answer, route.startsWith('HEAD ')),
    ...(succeeded ? findRequestProblems(operation, request) : []),
  ];
  if (problems.length === 0) return;
  throw new Error(
    `expected ${route} to keep to docs/openapi.yml; got ${problems.join('; ')} in ` +
      `${JSON.stringify(request)} → ${JSON.stringify(answer)}`,
  );
}

/** Fetches from the API, and checks request and answer like {@link checkContract}. */
export const fetchByContract: typeof fetch = async (input, init = {}) => {
  const response = await fetch(input, init);
  const url = new URL(input instanceof Request ? input.url : input);
  const { route, code } = findRoute(init.method ?? 'GET', url.pathname);
  const request = {
    path: { code },
    query: Object.fromEntries(url.searchParams),
    body: parseBody(init.body?.toString()),
  };
  checkContract(route, request, {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: parseBody(await response.clone().text()),
  });
  return response;
};

/** What is wrong with a value that answers must not exceed, by the schema of an answer. */
export function findValueProblems(schema: Schema, value: unknown): string[] {
  return validate(closed, schema, value);
}

/** The answer to a status, whether or not several routes share it; undefined if there is none. */
export function findAnswer({ responses }: Operation, status: number): Answer | undefined {
  const found = responses[status];
  if (!found || !('$ref' in found)) return found;
  return openApi.components.responses[path.basename(found.$ref)];
}

function findAnswerProblems(
  operation: Operation,
  { statusCode, headers, body }: ReceivedAnswer,
  isHead: boolean,
) {
  const expected = findAnswer(operation, statusCode ?? 0);
  if (!expected) return [`the status ${statusCode}, which it does not have`];
  const ofHeaders = findHeaderProblems(expected, headers);
  // HTTP sends no body to HEAD, whatever the function returns.
  return isHead ? ofHeaders : [...ofHeaders, ...findBodyProblems(expected, headers, body)];
}

function findHeaderProblems({ headers = {} }: Answer, received: ReceivedAnswer['headers']) {
  return Object.entries(headers).flatMap(([name, { $ref }]) => {
    const value = received[name.toLowerCase()];
    const { required, schema } = openApi.components.headers[path.basename($ref)] ?? {};
    if (value === undefined) return required ? [`no header ${name}`] : [];
    return validate(open, schema ?? false, value).map((problem) => `${name}: ${problem}`);
  });
}

function findBodyProblems({ content }: Answer, headers: ReceivedAnswer['headers'], body: unknown) {
  if (!content) return body === undefined ? [] : ['a body where it has none'];
  const [type = ''] = String(headers['content-type']).split(';');
  const { schema } = content[type] ?? {};
  return schema ? findValueProblems(schema, body) : [`the content type ${type}`];
}

function findRequestProblems({ parameters = [], requestBody }: Operation, request: SentRequest) {
  const values: Record<string, SentRequest['query']> = { path: request.path, query: request.query };
  const ofParameters = parameters.flatMap(({ name, in: place, required, schema }) => {
    const value = values[place]?.[name];
    if (value === undefined) return required ? [`no ${name} in the ${place}`] : [];
    return validate(open, schema, value).map((problem) => `${name} in the ${place}: ${problem}`);
  });
  const { schema } = requestBody?.content['application/json'] ?? {};
  return [...ofParameters, ...(schema ? validate(open, schema, request.body) : [])];
}

function findRoute(method: string, pathname: string) {
  // A path without parameters wins, as in API Gateway.
  const routes = [...operations.keys()].toSorted((a, b) => Number(a > b) - Number(a < b));
  for (const route of routes.toSorted((a, b) => countParameters(a) - countParameters(b))) {
    const pattern = route.replaceAll(/{\w+}/g, '([^/]+)');
    const [found, code] = new RegExp(`^${pattern}$`).exec(`${method} ${pathname}`) ?? [];
    if (found) return { route, code };
  }
  throw new Error(`expected docs/openapi.yml to have a route for ${method} ${pathname}`);
}

function countParameters(route: string): number {
  return route.split('{').length;
}

function parseBody(text = ''): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function createAjv(document: object): Ajv2020 {
  // A parameter and a header are text, so "25" is a number there.
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: document === openApi });
  formats.default(ajv);
  return ajv.addSchema(document, 'openapi.yml');
}

function validate(ajv: Ajv2020, schema: Schema, value: unknown): string[] {
  const text = JSON.stringify(schema).replaceAll('"#/', '"openapi.yml#/');
  const check = ajv.compile({ properties: { value: JSON.parse(text) } });
  if (check({ value })) return [];
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath.replace('/value', 'value')} ${message} ${JSON.stringify(params)}`,
  );
}

/** Copies schemas so that no object in them may have other fields than its properties. */
function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closeObjects(value)]),
  );
  return copy.type === 'object' ? { ...copy, additionalProperties: false } : copy;
}
