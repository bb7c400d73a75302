import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { projectDir } from '../../local/engines/serverless.ts';

type Schema = Record<string, unknown>;

interface Refer {
  $ref: string;
}

type Content = Record<string, { schema: Schema; examples: Record<string, { value: unknown }> }>;

interface Header {
  required: boolean;
  schema: Schema;
}

interface Answer {
  headers?: Record<string, Refer>;
  content?: Content;
}

/** The scopes that a token must have, by the name of the scheme. */
type Security = Record<string, string[]>;

export interface Operation {
  operationId: string;
  /** The schemes of which a request needs one; without any, those of the document. */
  security?: Security[];
  parameters?: { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, Refer | Answer>;
}

interface OpenApiDocument {
  security: Security[];
  paths: Record<string, Record<string, Operation>>;
  components: { headers: Record<string, Header>; responses: Record<string, Answer> };
}

const file = path.join(projectDir, 'docs/openapi.yml');
const openApi: OpenApiDocument = parse(readFileSync(file, 'utf8'));

/** The operations by their routes, such as "POST /links". */
export const operations = new Map(
  Object.entries(openApi.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${template}`,
      operation,
    ]),
  ),
);

/** Whether an operation takes no request without a token. */
export function isProtected({ security = openApi.security }: Operation): boolean {
  return security.length > 0;
}

/** The scope that a token for an operation must have; undefined if the operation needs no token. */
export function scopeOf({ security = openApi.security }: Operation): string | undefined {
  return security[0]?.jwt?.[0];
}

/** An operation's answer with this status; undefined if it has none. */
export function findAnswer({ responses }: Operation, status = 0): Answer | undefined {
  const answer = responses[status];
  return answer && '$ref' in answer ? openApi.components.responses[nameOf(answer)] : answer;
}

/** The headers of an answer by their names. */
export function listHeaders({ headers = {} }: Answer): [string, Header][] {
  return Object.entries(headers).flatMap(([name, refer]) => {
    const header = openApi.components.headers[nameOf(refer)];
    return header ? [[name, header]] : [];
  });
}

/** Finds what is wrong with the body of a request. */
export const findBodyProblems = createValidator(openApi);

/** Finds what is wrong with a parameter or a header, which is a text: "25" is a number. */
export const findTextProblems = createValidator(openApi, { coerceTypes: true });

/**
 * Finds what is wrong with the body of an answer. The document permits more fields than it has, for
 * later versions; here they are wrong, because nobody may see them.
 */
export const findAnswerProblems = createValidator(closeObjects(openApi) as object);

function nameOf({ $ref }: Refer): string {
  return path.basename($ref);
}

/** Makes a function that lists what is wrong with a value by a schema of the document. */
function createValidator(document: object, options = {}) {
  const ajv = new Ajv2020({ ...options, strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

  return (schema: Schema, value: unknown): string[] => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
    // Ajv coerces only what is in an object.
    const validate = compiled.get(text) ?? ajv.compile({ properties: { value: JSON.parse(text) } });
    compiled.set(text, validate);
    if (validate({ value })) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath.slice('/value'.length)} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** Copies a document so that no object may have other fields than its schema has. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, closeObjects(inner)]);
  const copy = Object.fromEntries(entries);
  return copy.type === 'object' ? { ...copy, additionalProperties: false } : copy;
}
