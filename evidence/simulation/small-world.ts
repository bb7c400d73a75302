import type { SQSBatchResponse } from 'aws-lambda';
import { makeContext } from '../kit/lambda-context.ts';
import { createRandom } from '../kit/random.ts';
import { Auditor, type Sent } from './auditor.ts';
import type { Code } from './code.ts';
import { DynamoDb } from './dynamodb/service.ts';
import { keyOf, Table } from './dynamodb/table.ts';
import { toEvent } from './lambda.ts';
import { type Carrier, toResponse, useCarrier } from './network.ts';
import { currentProcess, deliver, type Process, runAs } from './process.ts';
import type { Message } from './queue.ts';
import type { Settings } from './settings.ts';
import { letCodeRun, VirtualTime } from './virtual-time.ts';

/** Timers up to this are waits between attempts; longer ones are deadlines, which never come here. */
const maxBackoffMs = 1_000;
/** How often a transaction may meet another before that has to end. */
const maxConflicts = 2;

/** Something that can happen next. */
interface Step {
  name: string;
  process: Process | undefined;
  isArrival: boolean;
  isWait: boolean;
  run: () => void;
}

/** Time whose events happen when somebody chooses them. */
export class ChosenTime extends VirtualTime {
  steps: Step[] = [];

  override after(delayMs: number, action: () => void): () => void {
    if (delayMs > maxBackoffMs) return () => {};
    const process = currentProcess();
    const name = process ? `${process.name} has waited` : 'a transaction ends';
    return this.add({
      name,
      process,
      isArrival: false,
      isWait: process !== undefined,
      run: action,
    });
  }

  add(step: Step): () => void {
    this.steps.push(step);
    return () => {
      this.steps = this.steps.filter((other) => other !== step);
    };
  }
}

/** Two instances, a few messages, and whoever chooses what happens next. */
export class SmallWorld implements Carrier {
  readonly auditor: Auditor;
  readonly #code: Code;
  readonly #settings: Settings;
  readonly #time: ChosenTime;
  readonly #dynamoDb: DynamoDb;
  readonly #queue = new Map<string, Message>();
  #processes: Process[] = [];
  #busy = new Set<Process>();
  #conflicts = 0;
  #hasCrashed = false;

  constructor(code: Code, settings: Settings, time: ChosenTime, showsAllReasons: boolean) {
    this.#code = code;
    this.#settings = settings;
    this.#time = time;
    time.steps = [];
    const random = { ...createRandom(1, 'small'), chance: () => !showsAllReasons };
    this.auditor = new Auditor(settings, () => this.#time.nowMs);
    const table = new Table(random, Date.now, (changes) => this.auditor.onCommit(changes));
    this.#dynamoDb = new DynamoDb({
      ...{ table, random, time: this.#time },
      faults: { happens: () => false },
      statistics: { add: (name) => this.#count(name) },
      weather: { throttleRate: 0 },
    });
    const link = { PK: { S: 'LINK#link' }, SK: { S: 'META' }, url: { S: 'u' }, clicks: { N: '0' } };
    table.commit(new Map([[keyOf(link), link]]));
    useCarrier(this);
  }

  /** Puts a click into the queue. */
  enqueue(id: string, clickId: string): void {
    const click = { id: clickId, code: 'link', day: '2026-05-26' };
    const body = JSON.stringify({
      id: clickId,
      detail: { code: 'link', at: '2026-05-26T09:00:00Z' },
    });
    const sent: Sent = { click, sentMs: this.#time.nowMs };
    this.auditor.onSent(sent);
    const times = { enqueuedMs: this.#time.nowMs, receiveCount: 1, visibleFromMs: 0 };
    const message = { id, body, sent, ...times };
    this.auditor.onEnqueued(message);
    this.#queue.set(id, message);
  }

  /** The messages that are still in the queue. */
  get waiting(): Message[] {
    return [...this.#queue.values()];
  }

  /** Hands messages to a fresh instance. */
  async start(name: string, ids: string[]): Promise<void> {
    const process: Process = { name, role: 'aggregator', dead: false, frozenUntilMs: 0 };
    const batch = ids.flatMap((id) => this.#queue.get(id) ?? []);
    const handler = this.#code.createHandler();
    const event = toEvent(batch.map((message) => ({ message, receiptHandle: 1 })));
    const context = makeContext(this.#settings.functionTimeoutMs, name);
    this.#processes.push(process);
    this.#busy.add(process);
    runAs(process, () => handler(event, context)).then((answer) =>
      this.#add(`${name} answers the batch`, process, () => {
        this.#busy.delete(process);
        this.#settle(batch, answer as SQSBatchResponse);
      }),
    );
    await letCodeRun();
  }

  /** What can happen next: each step, and each way in which one instance can die, once. */
  choices(): { name: string; run: () => void }[] {
    const steps = this.#possibleSteps().map((step) => ({
      name: step.name,
      run: () => {
        this.#time.steps = this.#time.steps.filter((other) => other !== step);
        step.run();
      },
    }));
    if (this.#hasCrashed || steps.length === 0) return steps;
    const crashes = [...this.#busy].flatMap((process) => [
      { name: `${process.name} dies`, run: () => this.#crash(process, false) },
      ...(this.#hasRequest(process)
        ? [{ name: `${process.name} dies, its request too`, run: () => this.#crash(process, true) }]
        : []),
    ]);
    return [...steps, ...crashes];
  }

  async choose(choice: { run: () => void }): Promise<void> {
    choice.run();
    await letCodeRun();
  }

  end(): void {
    useCarrier(undefined);
  }

  send(request: Parameters<Carrier['send']>[0]): ReturnType<Carrier['send']> {
    const process = currentProcess();
    if (!process) throw new Error('expected a process behind each request');
    const operation = (request.headers['x-amz-target'] ?? '').split('.')[1] ?? '';
    const input: unknown = JSON.parse(new TextDecoder().decode(request.body));
    return new Promise((resolve) => {
      const answer = (status: number, body: string) =>
        deliver(this.#time, process, () => resolve({ response: toResponse(status, body) }));
      const arrive = () =>
        this.#dynamoDb.handle(operation, input, ({ status, body }) =>
          this.#add(`${process.name} gets an answer`, process, () => answer(status, body)),
        );
      this.#add(`${process.name}'s request arrives`, process, arrive, true);
    });
  }

  // Where two transactions have met often enough, the one under way ends before another attempt.
  #possibleSteps(): Step[] {
    const alive = this.#time.steps.filter(({ process, isArrival }) => isArrival || !process?.dead);
    const others = alive.filter(({ isWait }) => !isWait);
    return this.#conflicts >= maxConflicts && others.length > 0 ? others : alive;
  }

  #add(name: string, process: Process, run: () => void, isArrival = false): void {
    this.#time.add({ name, process, run, isArrival, isWait: false });
  }

  #hasRequest(process: Process): boolean {
    return this.#time.steps.some((step) => step.isArrival && step.process === process);
  }

  #crash(process: Process, withRequest: boolean): void {
    this.#hasCrashed = true;
    process.dead = true;
    this.#busy.delete(process);
    this.#time.steps = this.#time.steps.filter(
      (step) => step.process !== process || (step.isArrival && !withRequest),
    );
  }

  #settle(batch: Message[], { batchItemFailures }: SQSBatchResponse): void {
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const message of batch) {
      if (failed.has(message.id) || !this.#queue.delete(message.id)) continue;
      this.auditor.onDeleted(message);
    }
  }

  #count(name: string): void {
    if (name === 'conflicts') this.#conflicts += 1;
  }
}
