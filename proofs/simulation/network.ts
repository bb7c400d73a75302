import { HttpResponse } from '@smithy/core/protocols';
import type { HttpRequest } from '@smithy/types';
import type { Random } from '../tools/random.ts';
import { type Answer, type AwsService, serviceError } from './aws-service.ts';
import type { Faults } from './faults.ts';
import type { Trace } from './instance.ts';
import { deliver, type Instance, type Scheduler } from './instance.ts';
import type { SendOptions } from './sandbox.ts';

interface Handled {
  response: HttpResponse;
}

/** Carries an AWS request of an instance. */
export type Send = (
  caller: Instance,
  request: HttpRequest,
  options: SendOptions,
) => Promise<Handled>;

/** A request's service, from the first part of X-Amz-Target, and its operation. */
export function readRequest({ headers, body }: HttpRequest) {
  const text = typeof body === 'string' ? body : decoder.decode(body);
  const [target = '', operation = ''] = (headers['x-amz-target'] ?? '').split('.');
  return { target, operation, input: JSON.parse(text) as unknown };
}

const decoder = new TextDecoder();

export interface NetworkParts {
  time: Scheduler;
  random: Random;
  faults: Faults;
  trace: Trace;
  /** By the first part of X-Amz-Target. */
  services: Record<string, { name: string; service: AwsService }>;
  onSend: (caller: Instance, request: ReturnType<typeof readRequest>) => void;
}

/** A request in flight, with its possible outcomes. */
interface Exchange {
  boundary: string;
  perform: (reply: (answer: Answer) => void) => void;
  answer: (answer: Answer) => void;
  fail: (error: Error) => void;
}

/** Carries requests from instances to services: late, twice or not at all. */
export class Network {
  readonly #parts: NetworkParts;

  constructor(parts: NetworkParts) {
    this.#parts = parts;
  }

  readonly send: Send = (caller, request, options) => {
    const { time, faults } = this.#parts;
    return awaitAnswer(time, caller, options, (answer, fail) => {
      if (faults.mayCrash(caller, 'before a request is sent')) return;
      this.#carry({
        ...this.#address(caller, request),
        answer: (result) => {
          deliver(time, caller, () => {
            if (!faults.mayCrash(caller, 'as an answer arrives')) answer(result);
          });
        },
        fail: (error) => deliver(time, caller, () => fail(error)),
      });
      time.after(1, () => faults.mayCrash(caller, 'while a request is in flight'));
      faults.mayFreeze(caller);
    });
  };

  #address(caller: Instance, request: HttpRequest) {
    const read = readRequest(request);
    const { target, operation, input } = read;
    this.#parts.onSend(caller, read);
    const { name, service } = this.#parts.services[target] ?? {};
    if (!service) throw new Error(`expected a service in use; got ${target}`);
    const boundary = `${caller.role} → ${name}: ${operation}`;
    const perform = (reply: (answer: Answer) => void) => {
      this.#parts.trace.note(() => `${caller.name}: ${operation} arrives`);
      service.handle(operation, input, reply, caller);
    };
    return { boundary, perform };
  }

  #carry(exchange: Exchange): void {
    const { time, random, faults } = this.#parts;
    const { boundary, perform, answer, fail } = exchange;
    const soonMs = () => random.integer(1, 10);
    const reply = (result: Answer) => {
      time.after(soonMs(), () => answer(result));
    };
    const send = () => time.after(soonMs(), () => perform(reply));
    faults.act(boundary, send, {
      // The connection is refused at once, or nothing comes back until the caller gives up.
      dropped: () => {
        if (random.chance(0.5)) time.after(soonMs(), () => fail(connectionError('ECONNREFUSED')));
      },
      rejected: () => reply(random.pick(rejectionsOf(exchange))),
      'response lost': () => time.after(soonMs(), () => perform(() => this.#loseAnswer(exchange))),
      late: () => this.#carryLate(exchange),
      twice: () => {
        time.after(random.exponential(random.pick([5, 500, 20_000])), () => perform(reply));
        send();
      },
    });
  }

  // Delays either the request or the answer.
  #carryLate({ perform, answer }: Exchange): void {
    const { time, random } = this.#parts;
    const lateMs = random.exponential(random.pick([300, 3_000, 60_000, 600_000]));
    const [thereMs, backMs] = random.chance(0.5) ? [lateMs, 5] : [5, lateMs];
    time.after(thereMs, () => perform((result) => time.after(backMs, () => answer(result))));
  }

  // Half of the answer, a broken connection, a proxy's own error or page, or silence.
  #loseAnswer(exchange: Exchange): void {
    const { random } = this.#parts;
    const { answer, fail } = exchange;
    const way = random.integer(1, 4);
    if (way === 1) answer({ status: 200, body: '{"Fail' });
    else if (way === 2) fail(connectionError('ECONNRESET'));
    else if (way === 3) answer(random.pick([badGateway, ...emptyAnswersOf(exchange)]));
  }
}

const badGateway: Answer = { status: 502, body: '<html>Bad Gateway</html>' };
const rejections: Answer[] = [
  serviceError(500, 'InternalServerError', 'injected'),
  serviceError(503, 'ServiceUnavailable', 'injected'),
  serviceError(400, 'ThrottlingException', 'injected'),
  serviceError(400, 'ProvisionedThroughputExceededException', 'injected'),
  serviceError(400, 'RequestLimitExceeded', 'injected'),
  badGateway,
];
const rejectedEntry: Answer = {
  status: 200,
  body: '{"FailedEntryCount":1,"Entries":[{"ErrorCode":"InternalFailure","ErrorMessage":"injected"}]}',
};

/** Answers that claim success without proof. */
const emptyAnswers: Answer[] = [
  ...['', '{}', 'null', '[]', '{"__type":"ThrottlingException"}'].map((body) => ({
    status: 200,
    body,
  })),
  { status: 202, body: '' },
  { status: 204, body: '' },
];

// The bus can reject an event in a successful answer.
function rejectionsOf(exchange: Exchange): Answer[] {
  const { boundary } = exchange;
  if (boundary.endsWith('PutEvents')) return [rejectedEntry, ...rejections, ...emptyAnswers];
  return [...rejections, ...emptyAnswersOf(exchange)];
}

// A proxy may answer instead of the table, the queue or the bus.
function emptyAnswersOf({ boundary }: Exchange): Answer[] {
  const isProven =
    /(TransactWriteItems|PutItem|SendMessage|PutEvents)$|^resolver → (standby )?table/.test(
      boundary,
    );
  return isProven ? emptyAnswers : [];
}

/** Sends a request, whose caller may give up before the answer. It goes out after `waitMs`. */
export function awaitAnswer(
  time: Scheduler,
  caller: Instance,
  { abortSignal, requestTimeout, throwOnRequestTimeout }: SendOptions,
  send: (answer: (answer: Answer) => void, fail: (error: Error) => void) => void,
  waitMs = 0,
): Promise<Handled> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(errorNamed('AbortError'));
    if (abortSignal?.aborted) {
      abort();
      return;
    }
    send(({ status, body }) => resolve({ response: toResponse(status, body) }), reject);
    if (throwOnRequestTimeout && requestTimeout) {
      time.after(waitMs + requestTimeout, () => reject(errorNamed('TimeoutError')), caller);
    }
    abortSignal?.addEventListener('abort', abort, { once: true });
  });
}

function errorNamed(name: string): Error {
  return Object.assign(new Error('no answer in time'), { name });
}

/** An answer in the form that SDK clients expect. */
export function toResponse(statusCode: number, body: string): HttpResponse {
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  return new HttpResponse({ statusCode, headers, body: Buffer.from(body) });
}

function connectionError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
