import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';

test("the OpenAPI document follows Redocly's recommended rules", async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    // resolve-link's success is a redirect.
    rules: { 'operation-2xx-response': 'off' },
  });

  const problems = await lintFromString({
    source: await readFile('docs/openapi.yml', 'utf8'),
    config,
  });

  const found = problems.map(({ ruleId, message, location }) => [
    ruleId,
    message,
    location.map(({ pointer }) => pointer),
  ]);
  expect(found).toEqual([]);
});
