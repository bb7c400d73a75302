import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { writeDocument } from '../../../local/openapi/document.ts';
import { routes } from '../../../local/openapi/routes.ts';

test('the OpenAPI document is what npm run generate -- openapi writes', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const hint = 'docs/openapi.yml is not current. Run npm run generate -- openapi.';

  expect(await readFile('docs/openapi.yml', 'utf8'), hint).toBe(writeDocument(version));
});

// The document's schemas are less strict than the code, because JSON Schema can't express every rule.
test.each(routes.filter(({ body }) => body))(
  'the code accepts the example requests of $operationId',
  ({ body }) => {
    for (const [name, value] of Object.entries(body?.examples ?? {})) {
      expect(body?.schema.safeParse(value), name).toMatchObject({ success: true });
    }
  },
);
