import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describeApi } from '../../generate/openapi/document.ts';

export type Schema = Record<string, unknown>;

interface Header {
  required: boolean;
  schema: Schema;
}

interface Answer {
  headers?: Record<string, Header>;
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
  responses: Record<string, Answer>;
}

interface OpenApiDocument {
  security: Security[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

// A unit test proves that docs/openapi.yml is the same. Parsing it takes longer.
const openApi = followReferences(describeApi()) as OpenApiDocument;

export const { schemas } = openApi.components;

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
  return responses[status];
}

/** Finds the problems of a request's body. */
export const findBodyProblems = createValidator();

/** Finds the problems of a header or of a query's field, where "25" is a number. */
export const findTextProblems = createValidator({ coerceTypes: true });

/**
 * Finds the problems of an answer's body. The document permits additional fields, for later versions.
 * Here they are problems, because they could be private.
 */
export const findAnswerProblems = createValidator({}, closeObject);

/** Returns a function that lists a value's problems by a schema of the document. */
function createValidator(options = {}, change = (schema: Schema) => schema) {
  // A unit test validates all schemas.
  const ajv = new Ajv2020({ ...options, strict: false, allErrors: true, validateSchema: false });
  formats.default(ajv);
  const compiled = new Map<Schema, ReturnType<typeof ajv.compile>>();

  return (schema: Schema, value: unknown): string[] => {
    // Ajv coerces only properties of objects.
    const wrap = () => ({ properties: { value: mapObjects(schema, change) } });
    const validate = compiled.get(schema) ?? ajv.compile(wrap());
    compiled.set(schema, validate);
    if (validate({ value })) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath.slice('/value'.length)} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** Forbids additional fields. */
function closeObject(schema: Schema): Schema {
  return schema.type === 'object' ? { ...schema, additionalProperties: false } : schema;
}

/** Copies a document, with each reference's target in its place. */
function followReferences(document: object): unknown {
  const follow = (node: Schema): Schema => {
    const { $ref } = node;
    if (typeof $ref !== 'string') return node;
    const [, ...names] = $ref.split('/');
    const target = names.reduce<unknown>((parent, name) => Object(parent)[name], document);
    return mapObjects({ ...Object(target) }, follow) as Schema;
  };
  return mapObjects(document, follow);
}

/** Copies a value, and changes each object in it, from the inside out. */
function mapObjects(value: unknown, change: (object: Schema) => Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, mapObjects(inner, change)]);
  return change(Object.fromEntries(entries));
}
