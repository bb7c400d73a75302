import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { writeDocument } from '../../../local/openapi/document.ts';
import { routes } from '../../../local/openapi/routes.ts';
import { checkContract } from '../../helpers/contract.ts';
import { findAnswer, findAnswerProblems, operations } from '../../helpers/openapi.ts';

const readDocument = () => readFile('docs/openapi.yml', 'utf8');

describe('the OpenAPI document', () => {
  test('is what npm run generate -- openapi writes', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));

    expect(
      await readDocument(),
      'docs/openapi.yml is not current. Run npm run generate -- openapi.',
    ).toBe(writeDocument(version));
  });

  // The document's schemas are less strict than the code, because JSON Schema can't express every rule.
  test.each(
    routes.flatMap(({ operationId, body }) =>
      Object.entries(body?.examples ?? {}).map(([name, value]) => ({
        ...{ operationId, name, value },
        schema: body?.schema,
      })),
    ),
  )('has example requests that the code accepts: $operationId $name', ({ schema, value }) => {
    expect(schema?.safeParse(value)).toMatchObject({ success: true });
  });

  test.each(
    [...operations].flatMap(([route, operation]) =>
      Object.keys(operation.responses).flatMap((status) => {
        const content = findAnswer(operation, Number(status))?.content?.['application/json'];
        return Object.entries(content?.examples ?? {}).map(([name, { value }]) => ({
          ...{ route, status, name, value },
          schema: content?.schema ?? {},
        }));
      }),
    ),
  )('has complete example answers: $route $status $name', ({ schema, value }) => {
    expect(findAnswerProblems(schema, value)).toEqual([]);
  });
});

describe('an answer', () => {
  const shared = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  const headers = { 'content-type': 'application/json', ...shared };
  const link = {
    code: 'spring',
    shortUrl: 'https://go.example.com/spring',
    url: 'https://example.com/',
  };
  const created = { statusCode: 201, headers, body: link };
  const redirected = {
    statusCode: 302,
    headers: { location: 'https://example.com/', ...shared },
    body: undefined,
  };
  const request = { body: { url: 'https://example.com/' } };
  const visit = { path: { code: 'spring' } };

  test.each([
    ['a private field', { body: { ...link, owner: 'someone' } }, 'owner'],
    ['a field that is missing', { body: { ...link, url: undefined } }, 'url'],
    ['a field of another type', { body: { ...link, code: 7 } }, 'the body/code must be string'],
    ['another status', { statusCode: 418 }, 'the status 418'],
    [
      'a header that is missing',
      { headers: { ...headers, 'cache-control': undefined } },
      'no head',
    ],
    ['a header of another value', { headers: { ...headers, 'cache-control': 'x' } }, 'no-store'],
    ['another type of body', { headers: { ...headers, 'content-type': 'text/html' } }, 'text/html'],
  ])('is rejected for %s', (_, difference, problem) => {
    const answer = { ...created, ...difference };

    expect(() => checkContract('POST /links', request, answer)).toThrow(problem);
  });

  test('is rejected for a body that the document does not have', () => {
    expect(() => checkContract('GET /{code}', visit, { ...redirected, body: link })).toThrow(
      'a body where it has none',
    );
  });

  test("is rejected if it reports success for a request that the document doesn't permit", () => {
    expect(() => checkContract('POST /links', { body: {} }, created)).toThrow("'url'");
    expect(() => checkContract('GET /{code}', { path: { code: 'x' } }, redirected)).toThrow('code');
  });

  test('is rejected for a route that the document does not have', () => {
    expect(() => checkContract('PUT /links', request, created)).toThrow('the route PUT /links');
  });
});
