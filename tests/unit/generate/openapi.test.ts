import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { routes } from '../../../generate/openapi/routes.ts';
import { startCommand } from '../../helpers/command.ts';
import { type Operation, operations } from '../../helpers/openapi.ts';
import { createTestDir } from '../../helpers/test-dir.ts';

test('the OpenAPI document is what npm run generate -- openapi writes', async () => {
  await using dir = await createTestDir();
  const file = path.join(dir.path, 'openapi.yml');
  const hint = 'docs/openapi.yml is not current. Run npm run generate -- openapi.';
  // A contributor's shell doesn't have the functions' variables.
  const shell = { PATH: process.env.PATH };

  const { stderr } = await startCommand('generate/generate.ts', ['openapi', file], shell).ended;

  expect(stderr).toBe('');
  expect(await readFile('docs/openapi.yml', 'utf8'), hint).toBe(await readFile(file, 'utf8'));
});

const ajv = new Ajv2020();
const schemasOf = ({ parameters = [], requestBody, responses }: Operation) =>
  [
    ...parameters,
    ...Object.values(requestBody?.content ?? {}),
    ...Object.values(responses).flatMap(({ headers = {}, content = {} }) => [
      ...Object.values(headers),
      ...Object.values(content),
    ]),
  ].map(({ schema }) => schema);

test.each([...operations])('the schemas of %s are valid', (_, operation) => {
  for (const schema of schemasOf(operation)) ajv.validateSchema(schema, true);
});

// The document's schemas are less strict than the code, because JSON Schema can't express every rule.
test.each(routes.filter(({ body }) => body))(
  'the code accepts the example requests of $function',
  ({ body }) => {
    for (const [name, value] of Object.entries(body?.examples ?? {})) {
      expect(body?.schema.safeParse(value), name).toMatchObject({ success: true });
    }
  },
);
