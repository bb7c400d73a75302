import { expect, test, vi } from 'vitest';
import { handler } from '../../../functions/create-link.ts';
import { call } from '../../helpers/http-api.ts';

vi.hoisted(() => vi.stubEnv('TABLE_NAME', 'never-reached'));

test.each([
  ['no body', undefined, /^expected the body to be JSON; got ""$/],
  ['no JSON', 'url=a', /^expected the body to be JSON; got "url=a"$/],
  ['no object', '[]', /^expected the body to be a JSON object .* got \[\]$/],
  ['no URL', '{}', /^expected url to be an absolute http or https URL; got nothing$/],
  ['a bad code', '{"url":"https://a.example","code":"a"}', /^expected code to be .*; got "a"$/],
])('%s is answered with 400 and the reason', async (_, body, reason) => {
  expect(await call(handler, { body })).toMatchObject({
    statusCode: 400,
    body: { message: expect.stringMatching(reason) },
  });
});
