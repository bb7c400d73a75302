import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSign } from '../../../lib/aws/sign.ts';

const word = fc.stringMatching(/^[!-~]{1,40}$/);
const headers = fc.record({
  host: fc.constantFrom('sqs.eu-west-3.amazonaws.com', '127.0.0.1:8000'),
  'content-type': fc.constantFrom('application/x-amz-json-1.0', 'application/x-amz-json-1.1'),
  'x-amz-target': word,
});
const credentials = fc.record(
  { accessKeyId: word, secretAccessKey: word, sessionToken: word },
  { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
);
const at = fc.date({
  noInvalidDate: true,
  min: new Date('2026-01-01T00:00:00Z'),
  max: new Date('2027-01-01T00:00:00Z'),
});

test("a request's signature is the SDK's, with and without a session token, whatever the last ones were", async () => {
  const sign = createSign('events', 'eu-west-3');
  const sdk = { service: 'events', region: 'eu-west-3', applyChecksum: false };

  const property = fc.asyncProperty(
    headers,
    fc.string({ unit: 'grapheme' }),
    credentials,
    at,
    async (given, body, identity, signingDate) => {
      const signer = new SignatureV4({
        ...{ ...sdk, credentials: identity, sha256: Hash.bind(null, 'sha256') },
      });
      const request = { method: 'POST', protocol: 'https:', hostname: '', path: '/', body };
      const expected = await signer.sign({ ...request, headers: given }, { signingDate });

      expect(sign(given, body, identity, signingDate)).toEqual(expected.headers);
    },
  );
  await fc.assert(property);
});
