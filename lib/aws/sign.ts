import { createHmac, hash } from 'node:crypto';
import type { AwsCredentialIdentity } from '@smithy/types';

type SignedHeaders = Readonly<Record<string, string>>;

/**
 * Creates a function that signs a POST to `/` (AWS Signature Version 4). It returns the headers, whose
 * names must be in lower case, with its own. `@smithy/signature-v4`, which signs any request, takes
 * eight times the CPU time.
 */
export function createSign(service: string, region: string) {
  let cached: { of: string; key: string | Buffer } = { of: '', key: '' };
  return (headers: SignedHeaders, body: string, credentials: AwsCredentialIdentity, at: Date) => {
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    const date = at.toISOString().replace(/[:-]|\.\d{3}/g, '');
    const day = date.slice(0, 'yyyymmdd'.length);
    const signed: SignedHeaders = {
      ...headers,
      'x-amz-date': date,
      ...(sessionToken && { 'x-amz-security-token': sessionToken }),
    };
    const names = Object.keys(signed).sort();
    const lines = names.map((name) => `${name}:${signed[name]}\n`).join('');
    const request = `POST\n/\n\n${lines}\n${names.join(';')}\n${hash('sha256', body)}`;
    const parts = [day, region, service, 'aws4_request'];
    const scope = parts.join('/');
    const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash('sha256', request)}`;
    const of = `${day} ${secretAccessKey}`;
    if (cached.of !== of) cached = { of, key: parts.reduce(hmac, `AWS4${secretAccessKey}`) };
    const signature = hmac(cached.key, text).toString('hex');
    const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
    return { ...signed, authorization };
  };
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
