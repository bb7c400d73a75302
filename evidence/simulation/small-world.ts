import type { HttpRequest } from '@smithy/types';
import type { SQSBatchResponse } from 'aws-lambda';
import { makeContext } from '../kit/lambda-context.ts';
import { createRandom } from '../kit/random.ts';
import { Auditor } from './auditor.ts';
import type { Sent } from './click.ts';
import { DynamoDb } from './dynamodb/dynamodb.ts';
import { ItemStore, keyOf } from './dynamodb/item-store.ts';
import { toEvent } from './event-source-mapping.ts';
import { deliver, type Instance, type Scheduler } from './instance.ts';
import { readRequest, toResponse } from './network.ts';
import type { Message } from './queue.ts';
import type { FunctionCode } from './sandbox.ts';
import { environmentOf, type Settings } from './settings.ts';
import { letCodeRun } from './virtual-time.ts';

/** Timers up to this are waits between attempts; longer ones are deadlines, which never come here. */
const maxBackoffMs = 1_000;
/** How often a transaction may meet another before that one has to end. */
const maxConflicts = 2;
const startMs = Date.UTC(2026, 4, 26, 10);

/** An event that can happen next. */
interface Step {
  name: string;
  instance: Instance | undefined;
  isArrival: boolean;
  isWait: boolean;
  run: () => void;
}

/** Time that stands still; its events happen when somebody chooses them. */
class ChosenTime implements Scheduler {
  readonly nowMs = startMs;
  steps: Step[] = [];

  after(delayMs: number, action: () => void, owner?: Instance): () => void {
    if (delayMs > maxBackoffMs) return () => {};
    const name = owner ? `${owner.name} has waited` : 'a transaction ends';
    const run = owner ? () => deliver(this, owner, action) : action;
    return this.add({ name, instance: owner, isArrival: false, isWait: owner !== undefined, run });
  }

  add(step: Step): () => void {
    this.steps.push(step);
    return () => this.remove(step);
  }

  remove(step: Step): void {
    this.steps = this.steps.filter((other) => other !== step);
  }
}

/** Two instances, a few messages, and a caller who chooses what happens next. */
export class SmallWorld {
  readonly auditor: Auditor;
  readonly #code: FunctionCode;
  readonly #settings: Settings;
  readonly #time = new ChosenTime();
  readonly #dynamoDb: DynamoDb;
  readonly #queue = new Map<string, Message>();
  readonly #busy = new Set<Instance>();
  #conflicts = 0;
  #hasCrashed = false;

  /** `showsAllReasons`: a conflict comes together with the conditions that fail besides. */
  constructor(code: FunctionCode, settings: Settings, showsAllReasons: boolean) {
    this.#code = code;
    this.#settings = settings;
    const now = () => this.#time.nowMs;
    const random = { ...createRandom(1, 'small'), chance: () => !showsAllReasons };
    this.auditor = new Auditor(settings, now);
    const items = new ItemStore(random, now, (changes) => this.auditor.onCommit(changes));
    this.#dynamoDb = new DynamoDb({
      ...{ items, random, time: this.#time },
      faults: { happens: () => false },
      statistics: { add: (name) => this.#count(name) },
      throttleRate: 0,
    });
    const link = { PK: { S: 'LINK#link' }, SK: { S: 'META' }, url: { S: 'u' }, clicks: { N: '0' } };
    items.commit(new Map([[keyOf(link), link]]));
  }

  /** Puts a click into the queue. */
  enqueue(id: string, clickId: string): void {
    const click = { id: clickId, code: 'link', day: '2026-05-26' };
    const detail = { code: 'link', at: '2026-05-26T09:00:00Z' };
    const body = JSON.stringify({ id: clickId, detail });
    const sent: Sent = { click, sentMs: startMs };
    this.auditor.onSent(sent);
    const times = { enqueuedMs: startMs, receiveCount: 1, visibleFromMs: 0 };
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
    const instance: Instance = { name, role: 'aggregator', dead: false, frozenUntilMs: 0 };
    const batch = ids.flatMap((id) => this.#queue.get(id) ?? []);
    const event = toEvent(batch.map((message) => ({ message, receiptHandle: 1 })));
    const context = makeContext(this.#settings.functionTimeoutMs, name, () => startMs);
    this.#busy.add(instance);
    const handler = await this.#code.load('aggregator', {
      instance,
      time: this.#time,
      random: createRandom(1, name),
      environment: environmentOf('aggregator', this.#settings),
      send: (request) => this.#send(instance, request),
      onLog: () => {},
    });
    handler(event, context).then((answer) =>
      this.#add(`${name} answers the batch`, instance, () => {
        this.#busy.delete(instance);
        this.#settle(batch, answer as SQSBatchResponse);
      }),
    );
    await letCodeRun();
  }

  /** What can happen next: each step, and once each way in which an instance can die. */
  choices(): { name: string; run: () => void }[] {
    const steps = this.#possibleSteps().map((step) => ({
      name: step.name,
      run: () => {
        this.#time.remove(step);
        step.run();
      },
    }));
    if (this.#hasCrashed || steps.length === 0) return steps;
    const crashes = [...this.#busy].flatMap((instance) => [
      { name: `${instance.name} dies`, run: () => this.#crash(instance, false) },
      ...(this.#hasRequest(instance)
        ? [
            {
              name: `${instance.name} dies, its request too`,
              run: () => this.#crash(instance, true),
            },
          ]
        : []),
    ]);
    return [...steps, ...crashes];
  }

  async choose(choice: { run: () => void }): Promise<void> {
    choice.run();
    await letCodeRun();
  }

  #send(caller: Instance, request: HttpRequest): Promise<{ response: unknown }> {
    const { operation, input } = readRequest(request);
    return new Promise((resolve) => {
      const answer = (status: number, body: string) =>
        deliver(this.#time, caller, () => resolve({ response: toResponse(status, body) }));
      const arrive = () =>
        this.#dynamoDb.handle(operation, input, ({ status, body }) =>
          this.#add(`${caller.name} gets an answer`, caller, () => answer(status, body)),
        );
      this.#add(`${caller.name}'s request arrives`, caller, arrive, true);
    });
  }

  // Once two transactions have met often enough, the one in flight ends before another attempt.
  #possibleSteps(): Step[] {
    const alive = this.#time.steps.filter(
      ({ instance, isArrival }) => isArrival || !instance?.dead,
    );
    const others = alive.filter(({ isWait }) => !isWait);
    return this.#conflicts >= maxConflicts && others.length > 0 ? others : alive;
  }

  #add(name: string, instance: Instance, run: () => void, isArrival = false): void {
    this.#time.add({ name, instance, run, isArrival, isWait: false });
  }

  #hasRequest(instance: Instance): boolean {
    return this.#time.steps.some((step) => step.isArrival && step.instance === instance);
  }

  #crash(instance: Instance, withRequest: boolean): void {
    this.#hasCrashed = true;
    instance.dead = true;
    this.#busy.delete(instance);
    this.#time.steps = this.#time.steps.filter(
      (step) => step.instance !== instance || (step.isArrival && !withRequest),
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
