import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { writeDocument } from '../../../local/openapi/document.ts';
import { routes } from '../../../local/openapi/routes.ts';

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
});
