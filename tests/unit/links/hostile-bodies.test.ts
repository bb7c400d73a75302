import '../../helpers/unreachable-service.ts';
import { expect, test } from 'vitest';
import { handler as createLink } from '../../../functions/create-link.ts';
import { call } from '../../helpers/http-api.ts';

const creation = { routeKey: 'POST /links' };
const depth = 10_000;
const inArrays = `${'['.repeat(depth)}${']'.repeat(depth)}`;
const inObjects = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const base64 = (bytes: string | Buffer) => ({
  body: Buffer.from(bytes).toString('base64'),
  isBase64Encoded: true,
});

test.each([
  ['arrays that never end', { body: '['.repeat(50_000) }, '"[[['],
  ['arrays in arrays', { body: inArrays }, 'a deeply nested object'],
  ['objects in objects', { body: inObjects }, 'expected url to be'],
  ['a field of arrays in arrays', { body: `{"url":${inArrays}}` }, 'a deeply nested object'],
  ['a field of objects in objects', { body: `{"url":${inObjects}}` }, 'a deeply nested object'],
  ['arrays in arrays in base64', base64(inArrays), 'a deeply nested object'],
  ['bytes that are no UTF-8', base64(Buffer.from([0x22, 0xff, 0x22])), 'got "\ufffd"'],
  ['base64 that is none', { body: '%%%', isBase64Encoded: true }, 'got ""'],
  ['half a surrogate pair', { body: '"\\ud800"' }, 'got "\\ud800"'],
  ['64 KB and a byte', { body: ' '.repeat(65_537) }, 'to have at most 65536 bytes; got 65537'],
  ['the most that API Gateway passes on', base64('['.repeat(10_000_000)), 'got 10000000'],
])('a body is refused with the reason, however hostile: %s', async (_, body, reason) => {
  const { statusCode, body: answer } = await call(createLink, { ...creation, ...body });

  expect(statusCode).toBe(400);
  expect(answer.message).toContain(reason);
  expect(answer.message.length).toBeLessThan(250);
});
