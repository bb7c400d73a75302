import { setTimeout as pause } from 'node:timers/promises';
import { partition } from '@aws-sdk/core/client';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { constructStack } from '@smithy/core/client';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';
import aws4 from 'aws4';
import { nonEmptyString, readEnv } from '../config.ts';
import { traceClient } from '../telemetry/powertools.ts';
import { createPost, type PostResponse } from './http-post.ts';

/** `host` is also the name in signatures, and `version` that of AWS JSON. */
const awsServices = {
  DynamoDB: { host: 'dynamodb', target: 'DynamoDB_20120810', version: '1.0' },
  EventBridge: { host: 'events', target: 'AWSEvents', version: '1.1' },
  SQS: { host: 'sqs', target: 'AmazonSQS', version: '1.0' },
};

export type AwsService = keyof typeof awsServices;

const maxAttempts = 4;
const firstDelayMs = 50;
/** AWS rejects a signature whose date is five minutes off. */
const maxSkewMs = 240_000;

/** How long the initialization of a function may wait for a connection. */
const connectTimeoutMs = 200;

interface ClientOptions {
  /** Connecting, waiting and reading may each take this long in an attempt. */
  timeoutMs?: number;
  /** Whether the caller has another way, and takes it sooner: after throttling or two attempts. */
  hasFallback?: boolean;
}

interface ServiceRequest {
  /** A traced client adds its own, which isn't signed. */
  headers: Record<string, string>;
  body: string;
  abortSignal: AbortSignal | undefined;
}

type Output = object & { $metadata?: object };

/**
 * A small client (docs/decisions.md#a-small-client-for-the-redirect). It signs, retries and is
 * traced like the SDK's clients. Send only what may be repeated.
 */
export class AwsClient {
  /** For `traceClient`, like the next one. */
  readonly config;
  readonly middlewareStack = constructStack<object, Output>();
  readonly #service: AwsService;
  readonly #scope;
  readonly #headers;
  readonly #readCredentials = defaultProvider();
  readonly #post;
  readonly #hasFallback;
  #clockOffsetMs = 0;

  constructor(service: AwsService, { timeoutMs = 1_000, hasFallback = false }: ClientOptions = {}) {
    const { AWS_REGION: region } = readEnv({ AWS_REGION: nonEmptyString });
    const { host, version } = awsServices[service];
    const endpoint = endpointOf(service, region);
    this.config = { region: async () => region };
    this.#service = service;
    this.#scope = { service: host, region };
    this.#headers = { host: endpoint.host, 'content-type': `application/x-amz-json-${version}` };
    this.#post = createPost(endpoint, timeoutMs);
    this.#hasFallback = hasFallback;
    // Powertools' tracer adds its middleware after the SDK's one of this name.
    this.middlewareStack.add((next) => next, { name: 'getUserAgentMiddleware', step: 'build' });
    traceClient(this);
  }

  /**
   * Opens the connection for the first request, which then doesn't wait for TLS. Sends a request without
   * an operation, which AWS rejects. Never throws.
   */
  async connect(): Promise<void> {
    const headers = { ...this.#headers, 'content-length': '0' };
    const abortSignal = AbortSignal.timeout(connectTimeoutMs);
    await this.#post(headers, '', abortSignal).catch(() => undefined);
  }

  /** Throws the last of up to four attempts' errors. A service's own error has its name. */
  async send<T>(operation: string, input: object, abortSignal?: AbortSignal): Promise<T> {
    const body = JSON.stringify(input);
    // Lambda's own trace, as the SDK passes it on.
    const { _X_AMZN_TRACE_ID: trace } = process.env;
    const headers = {
      ...this.#headers,
      'content-length': `${Buffer.byteLength(body)}`,
      'x-amz-target': `${awsServices[this.#service].target}.${operation}`,
      ...(trace && { 'X-Amzn-Trace-Id': trace }),
    };
    const request: ServiceRequest = { headers, body, abortSignal };
    const context = { clientName: `${this.#service}Client`, commandName: `${operation}Command` };
    const handle = this.middlewareStack.resolve(async (args) => {
      const output = await this.#repeat(args.request as ServiceRequest);
      return { response: undefined, output };
    }, context);
    const args = { input, request };
    return (await handle(args)).output as T;
  }

  async #repeat(request: ServiceRequest): Promise<Output> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(request, attempt);
      } catch (error) {
        const isRepeated =
          this.#mayRetry(error as SdkError, attempt) &&
          (await backOff(attempt, request.abortSignal));
        if (!isRepeated) throw error;
      }
    }
  }

  #mayRetry(error: SdkError, attempt: number): boolean {
    if (this.#hasFallback) return attempt < 2 && isTransientError(error);
    return attempt < maxAttempts && (isTransientError(error) || isThrottlingError(error));
  }

  async #attempt(request: ServiceRequest, attempts: number): Promise<Output> {
    const { body, abortSignal } = request;
    const at = new Date(Date.now() + this.#clockOffsetMs);
    const signed = {
      ...request.headers,
      'x-amz-date': at.toISOString().replace(/[:-]|\.\d+/g, ''),
    };
    const unsent = { ...this.#scope, headers: signed, body };
    aws4.sign(unsent, await this.#readCredentials());
    const response = await this.#post(unsent.headers, body, abortSignal);
    const { status: httpStatusCode, headers } = response;
    const $metadata = { httpStatusCode, requestId: headers['x-amzn-requestid'], attempts };
    if (httpStatusCode === 200) return { ...JSON.parse(response.body), $metadata };
    const clockSkewCorrected = this.#correctClock(headers.date, at);
    throw Object.assign(readError(response), { $metadata: { ...$metadata, clockSkewCorrected } });
  }

  /** Whether the request's date was wrong. The next one has the service's. */
  #correctClock(date: string | undefined, at: Date): boolean {
    const serverMs = Date.parse(date ?? '');
    const isSkewed = Math.abs(serverMs - at.getTime()) >= maxSkewMs;
    if (isSkewed) this.#clockOffsetMs = serverMs - Date.now();
    return isSkewed;
  }
}

/** Waits before the next attempt. Returns false if the caller stops waiting meanwhile. */
function backOff(attempt: number, signal: AbortSignal | undefined): Promise<boolean> {
  const delayMs = firstDelayMs * 2 ** (attempt - 1) * Math.random();
  return pause(delayMs, undefined, { signal }).then(
    () => true,
    () => false,
  );
}

/** A service's error. If something else answered, such as a proxy, its name is `Unknown`. */
function readError({ status, headers, body }: PostResponse): Error {
  const { __type, message, Message } = parseFields(body);
  const [type = ''] = `${headers['x-amzn-errortype'] ?? __type ?? 'Unknown'}`.split(':');
  const name = type.slice(type.lastIndexOf('#') + 1);
  const text = message ?? Message ?? `expected the status 200; got ${status}`;
  return Object.assign(new Error(`${text}`), { name });
}

function parseFields(body: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(body));
  } catch {
    return {};
  }
}

/** The endpoint that the SDK's clients would use with these variables. */
export function endpointOf(service: AwsService, region: string, env = process.env): URL {
  const override = env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] || env.AWS_ENDPOINT_URL;
  const { dnsSuffix } = partition(region);
  return new URL(override || `https://${awsServices[service].host}.${region}.${dnsSuffix}`);
}

/** After a failure, callers with an alternative don't try again for this long. */
const openMs = 5_000;

/**
 * Remembers that a service failed, so that only one visitor of an execution environment waits for it
 * every few seconds.
 */
export class CircuitBreaker {
  #closesAtMs = 0;

  get isOpen(): boolean {
    return Date.now() < this.#closesAtMs;
  }

  open(): void {
    this.#closesAtMs = Date.now() + openMs;
  }
}
