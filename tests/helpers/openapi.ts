import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { projectDir } from '../../local/engines/serverless.ts';

export type Schema = Record<string, unknown>;

interface Refer {
  $ref: string;
}

interface Header {
  required: boolean;
  schema: Schema;
}

interface Answer {
  headers?: Record<string, Refer>;
  content?: Record<string, { schema: Schema }>;
}

/** The required scopes, by the scheme's name. */
type Security = Record<string, string[]>;

export interface Operation {
  operationId: string;
  /** A request needs one of these schemes. The default is the document's. */
  security?: Security[];
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Refer | Answer>;
}

interface OpenApiDocument {
  security: Security[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    headers: Record<string, Header>;
    responses: Record<string, Answer>;
    schemas: Record<string, Schema>;
  };
}

const file = path.join(projectDir, 'docs/openapi.yml');
const openApi: OpenApiDocument = parse(readFileSync(file, 'utf8'));

/** By route, such as "POST /links". */
export const operations = new Map(
  Object.entries(openApi.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${template}`,
      operation,
    ]),
  ),
);

/** Whether an operation requires a token. */
export function isProtected({ security = openApi.security }: Operation): boolean {
  return security.some((scheme) => 'jwt' in scheme);
}

/** Whether an operation requires an API key, which the function checks. */
export function takesKey({ security = [] }: Operation): boolean {
  return security.some((scheme) => 'apiKey' in scheme);
}

/** The scope that an operation requires. Undefined if it doesn't require a token. */
export function scopeOf({ security = openApi.security }: Operation): string | undefined {
  return security[0]?.jwt?.[0];
}

/** An operation's answer with this status, if any. */
export function findAnswer({ responses }: Operation, status = 0): Answer | undefined {
  const answer = responses[status];
  return answer && '$ref' in answer ? openApi.components.responses[nameOf(answer)] : answer;
}

/** An answer's headers, by name. */
export function listHeaders({ headers = {} }: Answer): [string, Header][] {
  return Object.entries(headers).flatMap(([name, refer]) => {
    const header = openApi.components.headers[nameOf(refer)];
    return header ? [[name, header]] : [];
  });
}

/** The schema itself instead of a reference to it. */
export function resolve(schema: Schema): Schema {
  const found = openApi.components.schemas[path.basename(`${schema.$ref}`)];
  return schema.$ref === undefined ? schema : { ...found };
}

/** Finds the problems of a request's body. */
export const findBodyProblems = createValidator(openApi);

/** Finds the problems of a header or of a query's field, where "25" is a number. */
export const findTextProblems = createValidator(openApi, { coerceTypes: true });

/**
 * Finds the problems of an answer's body. The document permits additional fields, for later versions.
 * Here they are problems, because they could be private.
 */
export const findAnswerProblems = createValidator(closeObjects(openApi) as object);

function nameOf({ $ref }: Refer): string {
  return path.basename($ref);
}

/** Returns a function that lists a value's problems by a schema of the document. */
function createValidator(document: object, options = {}) {
  const ajv = new Ajv2020({ ...options, strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

  return (schema: Schema, value: unknown): string[] => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
    // Ajv coerces only properties of objects.
    const validate = compiled.get(text) ?? ajv.compile({ properties: { value: JSON.parse(text) } });
    compiled.set(text, validate);
    if (validate({ value })) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath.slice('/value'.length)} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** Copies a document and forbids additional fields in all objects. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, closeObjects(inner)]);
  const copy = Object.fromEntries(entries);
  return copy.type === 'object' ? { ...copy, additionalProperties: false } : copy;
}
