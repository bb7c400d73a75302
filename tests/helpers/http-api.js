import { gunzipSync } from 'node:zlib';
import { makeHttpEvent } from '../../fixtures/http-events.ts';
import { checkContract } from './contract.ts';
export const forgedHeaders = {
    host: 'forged.example',
    'x-forwarded-host': 'forged.example',
    'x-forwarded-proto': 'http',
};
/**
 * Invokes a handler as Lambda does, by default as `a-user`, and parses its answer.
 * @throws {Error} if the answer doesn't match docs/openapi.yml.
 */
export async function call(handler, parts, caller) {
    const [, method] = /^([A-Z]+) /.exec(parts.routeKey) ?? [];
    const event = makeHttpEvent(parts, { caller, method });
    const context = { functionName: 'under-test', awsRequestId: 'request-1' };
    const { statusCode, headers = {}, body: sent } = await handler(event, context);
    const isGzip = headers['content-encoding'] === 'gzip';
    const body = isGzip ? `${gunzipSync(Buffer.from(`${sent}`, 'base64'))}` : sent;
    const isJson = `${headers['content-type']}`.startsWith('application/json');
    const answer = { statusCode, headers, body: body && isJson ? JSON.parse(body) : body };
    if (parts.routeKey !== '$default')
        checkContract(parts.routeKey, answer);
    return answer;
}
