import { hash } from 'node:crypto';
import aws4 from 'aws4';
import { makeHttpEvent } from '../../fixtures/http-events.ts';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { makeSqsEvent } from '../../fixtures/sqs-events.ts';
import { readRequest, toResponse } from '../simulation/network.ts';
import { compileFunctionCode } from '../simulation/sandbox.ts';
import { environmentOf, readSettings } from '../simulation/stage-settings.ts';
import { createRandom } from '../tools/random.ts';
/** When everything happens. A local engine would remove items whose TTL is in the past. */
export const nowMs = Date.UTC(2050, 4, 26, 10);
const time = {
  nowMs,
  after: (delayMs, action) => {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};
/**
 * The functions of a release, on a real table. Their ids come from the seed, and their time stands still,
 * so they always store and send the same.
 */
export class Stage {
  /** The bodies that ClickQueue gets from the bus. */
  published = [];
  deadLetters = [];
  #functions;
  #table;
  #seed;
  #handlers = new Map();
  #received = 0;
  constructor(functions, table, seed) {
    this.#functions = functions;
    this.#table = table;
    this.#seed = seed;
  }
  /** A request of an owner, with a token or with an API key. */
  async request(route, { body, query, key, code } = {}) {
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
    const answer = await this.#invoke('owner', event);
    return { status: answer.statusCode, ...JSON.parse(answer.body ?? '{}') };
  }
  /** A visitor follows a link. Returns the response's status. */
  async visit(code, query = '') {
    const event = makeHttpEvent({
      routeKey: 'GET /{code}',
      rawPath: `/${code}`,
      rawQueryString: query,
      pathParameters: { code },
      headers: { host: 'go.example.com', 'user-agent': browser },
    });
    const answer = await this.#invoke('resolver', event);
    return answer.statusCode;
  }
  /** Delivers messages to the aggregator. Returns how many of them come back. */
  async count(bodies) {
    const deliveries = bodies.map((body) => {
      this.#received += 1;
      return { messageId: `message-${this.#received}`, body, sentMs: nowMs };
    });
    const answer = await this.#invoke('aggregator', makeSqsEvent(deliveries));
    return answer.batchItemFailures.length;
  }
  async #invoke(role, event) {
    const handler = await (this.#handlers.get(role) ?? this.#load(role));
    return handler(
      event,
      makeContext(30000, role, () => nowMs),
    );
  }
  #load(role) {
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
  async #send(request) {
    const { target, operation, input } = readRequest(request);
    if (target === 'DynamoDB_20120810') return this.#ask(request);
    if (operation === 'PutEvents') return this.#publish(input);
    return this.#sendMessage(input);
  }
  async #ask({ headers, body }) {
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
      headers: signed.headers,
      body,
    });
    return { response: toResponse(response.status, await response.text()) };
  }
  #publish({ Entries: [entry] }) {
    const { Detail, DetailType, Source } = entry;
    const event = { 'detail-type': DetailType, source: Source, detail: JSON.parse(Detail) };
    this.published.push(JSON.stringify({ version: '0', id: `${this.published.length}`, ...event }));
    const body = JSON.stringify({ FailedEntryCount: 0, Entries: [{ EventId: 'event' }] });
    return { response: toResponse(200, body) };
  }
  #sendMessage({ MessageBody, MessageAttributes }) {
    const reason = MessageAttributes?.Reason?.StringValue ?? '';
    this.deadLetters.push({ body: MessageBody, reason });
    const MD5OfMessageBody = hash('md5', MessageBody);
    const body = JSON.stringify({ MessageId: 'message', MD5OfMessageBody });
    return { response: toResponse(200, body) };
  }
}
const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
