import { hash } from 'node:crypto';
import { beforeAll, vi } from 'vitest';
import { hashKey } from '../../lib/api-keys/api-key.ts';
import { startTokenIssuer } from '../../local/stack/token-issuer.ts';
import { startHttpServer } from '../../loopback/http-server.ts';
import { linkVariables } from '../helpers/aws-environment.ts';
import { useConnections } from '../helpers/connections.ts';
import { dayOf, link } from '../helpers/items.ts';
import { useTable } from '../helpers/test-table.ts';
import { apiKey, connectionId, keyIdOf, originSecret } from './entries.ts';

interface AwsInput {
  Entries?: { Detail: string }[];
  MessageBody?: string;
}

const counts = {
  ApproximateNumberOfMessages: '1',
  ApproximateNumberOfMessagesNotVisible: '1',
};

/** Starts everything the functions need. `published` has the clicks that reached the bus. */
export function useService() {
  const table = useTable();
  useConnections();
  const service = { token: '', published: [] as string[] };
  beforeAll(async () => {
    const aws = await startHttpServer(async ({ body }) => {
      const { Entries = [], MessageBody = '' }: AwsInput = JSON.parse(body || '{}');
      service.published.push(...Entries.map(({ Detail }) => Detail));
      const taken = Entries.map((_, index) => ({ EventId: `event-${index}` }));
      const sent = { MessageId: 'message', MD5OfMessageBody: hash('md5', MessageBody) };
      const answer = { FailedEntryCount: 0, Entries: taken, Attributes: counts, ...sent };
      return { status: 200, body: answer };
    });
    const { url } = aws;
    const issuer = await startTokenIssuer();
    service.token = await issuer.issueToken();
    const queueUrl = `${url}/000000000000/ClickQueue`;
    const environment = {
      ...linkVariables,
      AWS_ENDPOINT_URL_EVENTBRIDGE: url,
      AWS_ENDPOINT_URL_SQS: url,
      BUS_NAME: 'click-bus',
      CLICK_QUEUE_URL: queueUrl,
      CLICK_DLQ_URL: queueUrl,
      CLICK_RULE_DLQ_URL: queueUrl,
      CLICK_QUEUES: '4',
      CLICKS_VIA: 'bus',
      HOSTING_IS_BOT: 'true',
      COUNT_VISITORS: 'true',
      LINKS_PER_DAY: '999999999',
      REQUESTS_PER_USER_PER_MINUTE: '999999999',
      OWN_DOMAINS: 'example.com',
      ORIGIN_SECRETS: originSecret,
      JWT_ISSUER: issuer.issuer,
      JWT_AUDIENCE: issuer.audience,
      LOGIN_DOMAIN: '',
      JWT_SCOPES: 'click-tally/links',
      SIGN_IN_SCOPE: 'openid',
      LIVE_URL: 'wss://live.example.com/',
      MAX_RECEIVE_COUNT: '3',
      VISIBILITY_TIMEOUT_SECONDS: '30',
      BUS_RETRY_SECONDS: '86400',
      QUEUE_RETENTION_SECONDS: '345600',
      DEAD_LETTER_RETENTION_SECONDS: '1209600',
    };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const ttl = 4_000_000_000;
    const key = { user: 'a-user', scope: 'write', expiresAt: '2090-01-01T00:00:00.000Z' };
    const ids = [apiKey.id, ...Array.from({ length: 20 }, (_, run) => keyIdOf(run))];
    await table.put(
      ...ids.map((id) => ({ PK: `KEY#${id}`, SK: 'KEY', hash: hashKey(apiKey.key), ...key })),
      ...[
        { ...link('abcd', 1), owner: 'a-user', forwardQuery: true },
        dayOf('abcd', '2026-05-26', 1),
      ],
      // A negative number of messages, so it never reaches its limit.
      {
        PK: `CONNECTION#${connectionId}`,
        SK: 'CONNECTION',
        owner: 'a-user',
        ttl,
        endsAt: ttl,
        minute: ttl,
        messages: -1_000_000_000,
      },
    );
    return () => Promise.all([aws.stop(), issuer.stop()]);
  });
  return service;
}
