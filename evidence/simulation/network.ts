import { HttpResponse } from '@smithy/core/protocols';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { HttpHandlerOptions, HttpRequest, NodeHttpHandlerOptions } from '@smithy/types';
import type { Random } from '../kit/random.ts';
import { boundaries, type Failure, type Faults } from './faults.ts';
import { currentProcess, deliver, type Process } from './process.ts';
import { type Answer, type Service, serviceError } from './service.ts';
import type { Trace } from './trace.ts';
import type { VirtualTime } from './virtual-time.ts';

type Handled = { response: HttpResponse };

interface SendOptions extends HttpHandlerOptions {
  timeoutMs: number | undefined;
}

/** What carries the requests of the AWS clients of this thread. */
export interface Carrier {
  send(request: HttpRequest, options: SendOptions): Promise<Handled>;
}

const decoder = new TextDecoder();
let carrier: Carrier | undefined;

/** Takes the place of HTTP for every AWS client of this thread. */
export function interceptAwsClients(): void {
  NodeHttpHandler.prototype.handle = async function handle(request, options = {}) {
    // The settings that the client was made with; private, but kept under this name for years.
    const { configProvider } = this as unknown as {
      configProvider: Promise<NodeHttpHandlerOptions>;
    };
    const { requestTimeout, throwOnRequestTimeout } = await configProvider;
    const timeoutMs = throwOnRequestTimeout ? requestTimeout : undefined;
    if (!carrier) throw new Error(`expected a running world; got a request to ${request.hostname}`);
    return carrier.send(request, { ...options, timeoutMs });
  };
}

/** From now on the clients' requests go to this world; undefined for none. */
export function useCarrier(next: Carrier | undefined): void {
  carrier = next;
}

/** What the network is made of. */
export interface NetworkParts {
  time: VirtualTime;
  random: Random;
  faults: Faults;
  trace: Trace;
  /** By the first part of X-Amz-Target. */
  services: Record<string, { name: string; service: Service }>;
}

/** A request on its way: what its caller can be told. */
interface Exchange {
  boundary: string;
  perform: (reply: (answer: Answer) => void) => void;
  answer: (answer: Answer) => void;
  fail: (error: Error) => void;
}

/** Carries requests from processes to services, late, twice or not at all. */
export class Network implements Carrier {
  readonly #parts: NetworkParts;

  constructor(parts: NetworkParts) {
    this.#parts = parts;
  }

  send(request: HttpRequest, options: SendOptions): Promise<Handled> {
    const { time, faults } = this.#parts;
    const process = currentProcess();
    if (!process) throw new Error('expected a process behind each request');
    return new Promise((resolve, reject) => {
      if (faults.mayCrash(process, 'before a request is sent')) return;
      const answer = ({ status, body }: Answer) => {
        if (faults.mayCrash(process, 'as an answer arrives')) return;
        resolve({ response: toResponse(status, body) });
      };
      this.#carry({
        ...this.#address(process, request),
        answer: (result) => deliver(time, process, () => answer(result)),
        fail: (error) => deliver(time, process, () => reject(error)),
      });
      if (options.timeoutMs) {
        time.after(options.timeoutMs, () => deliver(time, process, () => reject(timeoutError())));
      }
      const onAbort = () => reject(Object.assign(new Error('aborted'), { name: 'AbortError' }));
      const signal = options.abortSignal as AbortSignal | undefined;
      signal?.addEventListener('abort', onAbort, { once: true });
      time.after(1, () => faults.mayCrash(process, 'while a request is under way'));
      faults.mayFreeze(process);
    });
  }

  #address(process: Process, { headers, body }: HttpRequest) {
    const [target = '', operation = ''] = (headers['x-amz-target'] ?? '').split('.');
    const { name, service } = this.#parts.services[target] ?? {};
    if (!service) throw new Error(`expected a service in use; got ${target}`);
    const input: unknown = JSON.parse(decoder.decode(body));
    const boundary = `${process.role} → ${name}: ${operation}`;
    const perform = (reply: (answer: Answer) => void) => {
      this.#parts.trace.note(() => `${process.name}: ${operation} arrives`);
      service.handle(operation, input, reply, process);
    };
    return { boundary, perform };
  }

  #carry(exchange: Exchange): void {
    const { time, random } = this.#parts;
    const { perform, answer, fail } = exchange;
    const soonMs = () => random.integer(1, 10);
    const reply = (result: Answer) => {
      time.after(soonMs(), () => answer(result));
    };
    switch (this.#drawFailure(exchange)) {
      case 'never sent':
        // Refused at once, or silence until the caller gives up.
        if (random.chance(0.5)) time.after(soonMs(), () => fail(connectionError('ECONNREFUSED')));
        return;
      case 'failed':
        reply(random.pick(refusalsOf(exchange)));
        return;
      case 'answer lost':
        time.after(soonMs(), () => perform(() => this.#loseAnswer(exchange)));
        return;
      case 'late':
        this.#carryLate(exchange);
        return;
      case 'twice':
        time.after(random.exponential(random.pick([5, 500, 20_000])), () => perform(reply));
    }
    time.after(soonMs(), () => perform(reply));
  }

  #drawFailure({ boundary }: Exchange): Failure | undefined {
    const known = boundaries.find((name) => name === boundary);
    return known && this.#parts.faults.failureAt(known);
  }

  // Either the request is on its way for long, or the answer.
  #carryLate({ perform, answer }: Exchange): void {
    const { time, random } = this.#parts;
    const lateMs = random.exponential(random.pick([300, 3_000, 60_000, 600_000]));
    const [thereMs, backMs] = random.chance(0.5) ? [lateMs, 5] : [5, lateMs];
    time.after(thereMs, () => perform((result) => time.after(backMs, () => answer(result))));
  }

  // Half of the answer, a broken connection, a proxy's own error, or silence.
  #loseAnswer({ answer, fail }: Exchange): void {
    const way = this.#parts.random.integer(1, 4);
    if (way === 1) answer({ status: 200, body: '{"Fail' });
    else if (way === 2) fail(connectionError('ECONNRESET'));
    else if (way === 3) answer(badGateway);
  }
}

const badGateway: Answer = { status: 502, body: '<html>Bad Gateway</html>' };
const refusals: Answer[] = [
  serviceError(500, 'InternalServerError', 'injected'),
  serviceError(503, 'ServiceUnavailable', 'injected'),
  serviceError(400, 'ThrottlingException', 'injected'),
  serviceError(400, 'ProvisionedThroughputExceededException', 'injected'),
  serviceError(400, 'RequestLimitExceeded', 'injected'),
  badGateway,
];
const refusedEntry: Answer = {
  status: 200,
  body: '{"FailedEntryCount":1,"Entries":[{"ErrorCode":"InternalFailure","ErrorMessage":"injected"}]}',
};

// The bus can refuse an event in an answer that is a success.
function refusalsOf({ boundary }: Exchange): Answer[] {
  return boundary.endsWith('PutEvents') ? [refusedEntry, ...refusals, refusedEntry] : refusals;
}

/** An answer as the SDK's clients take it. */
export function toResponse(statusCode: number, body: string): HttpResponse {
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  return new HttpResponse({ statusCode, headers, body: Buffer.from(body) });
}

function connectionError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function timeoutError(): Error {
  return Object.assign(new Error('no answer in time'), { name: 'TimeoutError' });
}
