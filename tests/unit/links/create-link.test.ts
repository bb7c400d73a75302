import { expect, test, vi } from 'vitest';
import { handler } from '../../../functions/create-link.ts';
import { call } from '../../helpers/http-api.ts';

vi.hoisted(() => vi.stubEnv('TABLE_NAME', 'never-reached'));

test.each([
  ['no body', undefined, /^The body must be JSON, but it is empty\.$/],
  ['no JSON', 'url=a', /^The body must be JSON, but it is "url=a"\.$/],
  ['no object', '[]', /^The body must be a JSON object/],
  ['no URL', '{}', /^url must be an absolute http or https URL, but it is missing\.$/],
  ['a bad code', '{"url":"https://a.example","code":"a"}', /^code must be 4 to 32 .* it is "a"\.$/],
])('%s is answered with 400 and the reason', async (_, body, reason) => {
  expect(await call(handler, { body })).toMatchObject({
    statusCode: 400,
    body: { message: expect.stringMatching(reason) },
  });
});
