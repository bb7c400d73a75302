import { hash } from 'node:crypto';
import type { HttpRequest } from '@smithy/types';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import aws4 from 'aws4';
import { makeHttpEvent } from '../../fixtures/http-events.ts';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { makeSqsEvent } from '../../fixtures/sqs-events.ts';
import type { FunctionSource } from '../simulation/function-code.ts';
import type { Role, Scheduler } from '../simulation/instance.ts';
import { readRequest, toResponse } from '../simulation/network.ts';
import { compileFunctionCode, type Handler } from '../simulation/sandbox.ts';
import { environmentOf, readSettings } from '../simulation/stage-settings.ts';
import { createRandom } from '../tools/random.ts';

/** When everything happens. A local engine would remove items whose TTL is in the past. */
export const nowMs = Date.UTC(2050, 4, 26, 10);

const time: Scheduler = {
  nowMs,
  after: (delayMs, action) => {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};

export interface TableAddress {
  endpoint: string;
  tableName: string;
}

/** A message that a function sent to ClickDLQ. */
export interface DeadLetter {
  body: string;
  reason: string;
}

/**
 * The functions of a release, on a real table. Their ids come from the seed, and their time stands still,
 * so they always store and send the same.
 */
export class Stage {
  /** The bodies that ClickQueue gets from the bus. */
  readonly published: string[] = [];
  readonly deadLetters: DeadLetter[] = [];
  readonly #functions: FunctionSource;
  readonly #table: TableAddress;
  readonly #seed: number;
  readonly #handlers = new Map<Role, Promise<Handler>>();
  #received = 0;

  constructor(functions: FunctionSource, table: TableAddress, seed: number) {
    this.#functions = functions;
    this.#table = table;
    this.#seed = seed;
  }

  /** A request of an owner, with a token or with an API key. */
  async request(route: string, { body, query, key, code }: OwnerRequest = {}) {
    const [method = ''] = route.split(' ');
    const event = makeHttpEvent(
      {
        routeKey: route,
        headers: { host: 'go.example.com', ...(key && { authorization: `Bearer ${key}` }) },
        ...(code && { pathParameters: { code } }),
        ...(query && { queryStringParameters: query }),
        ...(body && { body: JSON.stringify(body) }),
      },
      { method },
    );
    const answer = (await this.#invoke('owner', event)) as APIGatewayProxyStructuredResultV2;
    return { status: answer.statusCode, ...JSON.parse(answer.body ?? '{}') };
  }

  /** A visitor follows a link. Returns the response's status. */
  async visit(code: string, query = ''): Promise<number | undefined> {
    const event = makeHttpEvent({
      routeKey: 'GET /{code}',
      rawPath: `/${code}`,
      rawQueryString: query,
      pathParameters: { code },
      headers: { host: 'go.example.com', 'user-agent': browser },
    });
    const answer = (await this.#invoke('resolver', event)) as APIGatewayProxyStructuredResultV2;
    return answer.statusCode;
  }

  /** Delivers messages to the aggregator. Returns how many of them come back. */
  async count(bodies: readonly string[]): Promise<number> {
    const deliveries = bodies.map((body) => {
      this.#received += 1;
      return { messageId: `message-${this.#received}`, body, sentMs: nowMs };
    });
    const answer = await this.#invoke('aggregator', makeSqsEvent(deliveries));
    return (answer as { batchItemFailures: unknown[] }).batchItemFailures.length;
  }

  async #invoke(role: Role, event: unknown): Promise<unknown> {
    const handler = await (this.#handlers.get(role) ?? this.#load(role));
    return handler(
      event,
      makeContext(30_000, role, () => nowMs),
    );
  }

  #load(role: Role): Promise<Handler> {
    const [, , settings] = readSettings();
    if (!settings) throw new Error('expected the settings of prod; got none');
    const handler = compileFunctionCode(this.#functions).load(role, {
      instance: { name: role, role, dead: false, frozenUntilMs: 0 },
      time,
      random: createRandom(this.#seed, role),
      environment: { ...environmentOf(role, settings), TABLE_NAME: this.#table.tableName },
      send: (request) => this.#send(request),
      onLog: () => {},
    });
    this.#handlers.set(role, handler);
    return handler;
  }

  async #send(request: HttpRequest) {
    const { target, operation, input } = readRequest(request);
    if (target === 'DynamoDB_20120810') return this.#ask(request);
    if (operation === 'PutEvents') return this.#publish(input as PutEvents);
    return this.#sendMessage(input as SendMessage);
  }

  async #ask({ headers, body }: HttpRequest) {
    const { 'x-amz-target': target = '', 'content-type': type = '' } = headers;
    const signed = aws4.sign(
      {
        host: new URL(this.#table.endpoint).host,
        service: 'dynamodb',
        region: 'us-east-1',
        headers: { 'x-amz-target': target, 'content-type': type },
        body,
      },
      { accessKeyId: 'local', secretAccessKey: 'local' },
    );
    const response = await fetch(this.#table.endpoint, {
      method: 'POST',
      headers: signed.headers as Record<string, string>,
      body,
    });
    return { response: toResponse(response.status, await response.text()) };
  }

  #publish({ Entries: [entry] }: PutEvents) {
    const { Detail, DetailType, Source } = entry;
    const event = { 'detail-type': DetailType, source: Source, detail: JSON.parse(Detail) };
    this.published.push(JSON.stringify({ version: '0', id: `${this.published.length}`, ...event }));
    const body = JSON.stringify({ FailedEntryCount: 0, Entries: [{ EventId: 'event' }] });
    return { response: toResponse(200, body) };
  }

  #sendMessage({ MessageBody, MessageAttributes }: SendMessage) {
    const reason = MessageAttributes?.Reason?.StringValue ?? '';
    this.deadLetters.push({ body: MessageBody, reason });
    const MD5OfMessageBody = hash('md5', MessageBody);
    const body = JSON.stringify({ MessageId: 'message', MD5OfMessageBody });
    return { response: toResponse(200, body) };
  }
}

interface OwnerRequest {
  body?: object;
  query?: Record<string, string>;
  key?: string;
  code?: string;
}

interface PutEvents {
  Entries: [{ Detail: string; DetailType: string; Source: string }];
}

interface SendMessage {
  MessageBody: string;
  MessageAttributes?: { Reason?: { StringValue: string } };
}

const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
