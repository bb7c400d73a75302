import { HttpResponse } from '@smithy/core/protocols';
import { serviceError } from './aws-service.ts';
import { deliver } from './instance.ts';
/** A request's service, from the first part of X-Amz-Target, and its operation. */
export function readRequest({ headers, body }) {
    const text = typeof body === 'string' ? body : decoder.decode(body);
    const [target = '', operation = ''] = (headers['x-amz-target'] ?? '').split('.');
    return { target, operation, input: JSON.parse(text) };
}
const decoder = new TextDecoder();
/** Carries requests from instances to services: late, twice or not at all. */
export class Network {
    #parts;
    constructor(parts) {
        this.#parts = parts;
    }
    send = (caller, request, options) => {
        const { time, faults } = this.#parts;
        return awaitAnswer(time, caller, options, (answer, fail) => {
            if (faults.mayCrash(caller, 'before a request is sent'))
                return;
            this.#carry({
                ...this.#address(caller, request),
                answer: (result) => {
                    deliver(time, caller, () => {
                        if (!faults.mayCrash(caller, 'as an answer arrives'))
                            answer(result);
                    });
                },
                fail: (error) => deliver(time, caller, () => fail(error)),
            });
            time.after(1, () => faults.mayCrash(caller, 'while a request is in flight'));
            faults.mayFreeze(caller);
        });
    };
    #address(caller, request) {
        const read = readRequest(request);
        const { target, operation, input } = read;
        this.#parts.onSend(caller, read);
        const { name, service } = this.#parts.services[target] ?? {};
        if (!service)
            throw new Error(`expected a service in use; got ${target}`);
        const boundary = `${caller.role} → ${name}: ${operation}`;
        const perform = (reply) => {
            this.#parts.trace.note(() => `${caller.name}: ${operation} arrives`);
            service.handle(operation, input, reply, caller);
        };
        return { boundary, perform };
    }
    #carry(exchange) {
        const { time, random, faults } = this.#parts;
        const { boundary, perform, answer, fail } = exchange;
        const soonMs = () => random.integer(1, 10);
        const reply = (result) => {
            time.after(soonMs(), () => answer(result));
        };
        const send = () => time.after(soonMs(), () => perform(reply));
        faults.act(boundary, send, {
            // Refused at once, or silent until the caller gives up.
            'never sent': () => {
                if (random.chance(0.5))
                    time.after(soonMs(), () => fail(connectionError('ECONNREFUSED')));
            },
            refused: () => reply(random.pick(refusalsOf(exchange))),
            'answer lost': () => time.after(soonMs(), () => perform(() => this.#loseAnswer(exchange))),
            late: () => this.#carryLate(exchange),
            twice: () => {
                time.after(random.exponential(random.pick([5, 500, 20000])), () => perform(reply));
                send();
            },
        });
    }
    // Delays either the request or the answer.
    #carryLate({ perform, answer }) {
        const { time, random } = this.#parts;
        const lateMs = random.exponential(random.pick([300, 3000, 60000, 600000]));
        const [thereMs, backMs] = random.chance(0.5) ? [lateMs, 5] : [5, lateMs];
        time.after(thereMs, () => perform((result) => time.after(backMs, () => answer(result))));
    }
    // Half of the answer, a broken connection, a proxy's own error or page, or silence.
    #loseAnswer(exchange) {
        const { random } = this.#parts;
        const { answer, fail } = exchange;
        const way = random.integer(1, 4);
        if (way === 1)
            answer({ status: 200, body: '{"Fail' });
        else if (way === 2)
            fail(connectionError('ECONNRESET'));
        else if (way === 3)
            answer(random.pick([badGateway, ...emptyAnswersOf(exchange)]));
    }
}
const badGateway = { status: 502, body: '<html>Bad Gateway</html>' };
const refusals = [
    serviceError(500, 'InternalServerError', 'injected'),
    serviceError(503, 'ServiceUnavailable', 'injected'),
    serviceError(400, 'ThrottlingException', 'injected'),
    serviceError(400, 'ProvisionedThroughputExceededException', 'injected'),
    serviceError(400, 'RequestLimitExceeded', 'injected'),
    badGateway,
];
const refusedEntry = {
    status: 200,
    body: '{"FailedEntryCount":1,"Entries":[{"ErrorCode":"InternalFailure","ErrorMessage":"injected"}]}',
};
/** Answers that claim success without proof. */
const emptyAnswers = [
    ...['', '{}', 'null', '[]', '{"__type":"ThrottlingException"}'].map((body) => ({
        status: 200,
        body,
    })),
    { status: 202, body: '' },
    { status: 204, body: '' },
];
// The bus can reject an event in a successful answer.
function refusalsOf(exchange) {
    const { boundary } = exchange;
    if (boundary.endsWith('PutEvents'))
        return [refusedEntry, ...refusals, ...emptyAnswers];
    return [...refusals, ...emptyAnswersOf(exchange)];
}
// A proxy may answer instead of the table, the queue or the bus.
function emptyAnswersOf({ boundary }) {
    const isProven = /(TransactWriteItems|SendMessage|PutEvents)$|^resolver → table/.test(boundary);
    return isProven ? emptyAnswers : [];
}
/** Sends a request, whose caller may give up before the answer. It goes out after `waitMs`. */
export function awaitAnswer(time, caller, { abortSignal, requestTimeout, throwOnRequestTimeout }, send, waitMs = 0) {
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
function errorNamed(name) {
    return Object.assign(new Error('no answer in time'), { name });
}
/** An answer in the form that SDK clients expect. */
export function toResponse(statusCode, body) {
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    return new HttpResponse({ statusCode, headers, body: Buffer.from(body) });
}
function connectionError(code) {
    return Object.assign(new Error(code), { code });
}
