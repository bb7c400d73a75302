import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { projectDir } from '../../local/engines/serverless.ts';
const file = path.join(projectDir, 'docs/openapi.yml');
const openApi = followReferences(parse(readFileSync(file, 'utf8')));
export const { schemas } = openApi.components;
/** By route, such as "POST /links". */
export const operations = new Map(Object.entries(openApi.paths).flatMap(([template, methods]) => Object.entries(methods).map(([method, operation]) => [
    `${method.toUpperCase()} ${template}`,
    operation,
])));
/** Whether an operation requires a token. */
export function isProtected({ security = openApi.security }) {
    return security.some((scheme) => 'jwt' in scheme);
}
/** Whether an operation requires an API key, which the function checks. */
export function takesKey({ security = [] }) {
    return security.some((scheme) => 'apiKey' in scheme);
}
/** The scope that an operation requires. Undefined if it doesn't require a token. */
export function scopeOf({ security = openApi.security }) {
    return security[0]?.jwt?.[0];
}
/** An operation's answer with this status, if any. */
export function findAnswer({ responses }, status = 0) {
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
function createValidator(options = {}, change = (schema) => schema) {
    const ajv = new Ajv2020({ ...options, strict: false, allErrors: true });
    formats.default(ajv);
    const compiled = new Map();
    return (schema, value) => {
        // Ajv coerces only properties of objects.
        const wrap = () => ({ properties: { value: mapObjects(schema, change) } });
        const validate = compiled.get(schema) ?? ajv.compile(wrap());
        compiled.set(schema, validate);
        if (validate({ value }))
            return [];
        return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath.slice('/value'.length)} ${message} ${JSON.stringify(params)}`);
    };
}
/** Forbids additional fields. */
function closeObject(schema) {
    return schema.type === 'object' ? { ...schema, additionalProperties: false } : schema;
}
/** Copies a document, with each reference's target in its place. */
function followReferences(document) {
    const follow = (node) => {
        const { $ref } = node;
        if (typeof $ref !== 'string')
            return node;
        const [, ...names] = $ref.split('/');
        const target = names.reduce((parent, name) => Object(parent)[name], document);
        return mapObjects({ ...Object(target) }, follow);
    };
    return mapObjects(document, follow);
}
/** Copies a value, and changes each object in it, from the inside out. */
function mapObjects(value, change) {
    if (Array.isArray(value))
        return value.map((item) => mapObjects(item, change));
    if (typeof value !== 'object' || value === null)
        return value;
    const entries = Object.entries(value).map(([key, inner]) => [key, mapObjects(inner, change)]);
    return change(Object.fromEntries(entries));
}
