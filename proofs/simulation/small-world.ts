import type { HttpRequest } from '@smithy/types';
import type { SQSBatchResponse } from 'aws-lambda';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { createRandom } from '../../fixtures/random.ts';
import { ChosenTime, type Step, startMs, type Touched, touchedBy } from './chosen-time.ts';
import { type Click, makeClick } from './clicks/click.ts';
import { ClickAuditor } from './clicks/click-auditor.ts';
import type { FunctionCode } from './compiled-code.ts';
import { DynamoDb } from './dynamodb/dynamodb.ts';
import { ItemStore, keyOf } from './dynamodb/item-store.ts';
import { toEvent } from './event-source-mapping.ts';
import { deliver, type Instance } from './instance.ts';
import { readRequest, toResponse } from './network.ts';
import type { Message } from './queue.ts';
import type { Sent } from './sent.ts';
import { environmentOf, type Settings } from './stage-settings.ts';
import { letCodeRun } from './virtual-time.ts';

/** How often a transaction may conflict with another before that one has to end. */
const maxConflicts = 2;

/** A possible next event. */
export interface Choice {
  /** Unique among the choices of a moment. */
  name: string;
  /** See touchedBy. Choices that touch nothing in common can happen in either order. */
  touches: Touched;
  isDeath: boolean;
  run: () => void;
}

/** A message's click. */
export interface SmallClick extends Pick<Click, 'id' | 'code'> {
  visitor: string;
}

/** Two instances, a few messages, and a caller who chooses what happens next. */
export class SmallWorld {
  readonly auditor: ClickAuditor;
  readonly #code: FunctionCode;
  readonly #settings: Settings;
  readonly #time = new ChosenTime();
  readonly #dynamoDb: DynamoDb;
  readonly #queue = new Map<string, Message>();
  readonly #busy = new Set<Instance>();
  readonly #items: ItemStore;
  readonly #logs = new Map<string, string[]>();
  #conflicts = 0;
  #hasCrashed = false;

  /** With `showsAllReasons`, a conflict is reported together with failed conditions. */
  constructor(code: FunctionCode, settings: Settings, showsAllReasons: boolean) {
    this.#code = code;
    this.#settings = settings;
    const now = () => this.#time.nowMs;
    const random = { ...createRandom(1, 'small'), chance: () => !showsAllReasons };
    this.auditor = new ClickAuditor(settings, now, () => false);
    this.#items = new ItemStore(random, now, (changes) => this.auditor.onCommit(changes));
    this.#dynamoDb = new DynamoDb({
      ...{ items: this.#items, random, time: this.#time },
      faults: { happens: () => false },
      statistics: { add: (name) => this.#count(name) },
      throttleRate: 0,
      bareRefusalShare: 0,
    });
    for (const code of ['link', 'other']) this.#createLink(code);
  }

  enqueue(id: string, { id: clickId, code, visitor }: SmallClick): void {
    const detail = { at: '2026-05-26T09:00:00Z', visitor };
    const body = JSON.stringify({ id: clickId, detail: { code, ...detail } });
    const sent: Sent = { click: makeClick(clickId, code, detail), sentMs: startMs };
    this.auditor.onSent(sent);
    const times = { enqueuedMs: startMs, receiveCount: 1, visibleFromMs: 0 };
    const message = { id, body, sent, ...times };
    this.auditor.onEnqueued(message);
    this.#queue.set(id, message);
  }

  /** The messages in the queue. */
  get waiting(): Message[] {
    return [...this.#queue.values()];
  }

  /** The stored items, and each instance's log and answers. */
  get end(): string {
    const stored = [...this.#items.scan()].map((item) => JSON.stringify(item)).toSorted();
    return JSON.stringify([stored, [...this.#logs]]);
  }

  /** Starts a fresh instance with these messages. */
  async start(name: string, ids: string[]): Promise<void> {
    const instance: Instance = { name, role: 'aggregator', dead: false, frozenUntilMs: 0 };
    const batch = ids.flatMap((id) => this.#queue.get(id) ?? []);
    const event = toEvent(batch.map((message) => ({ message, receiptHandle: 1 })));
    const context = makeContext(this.#settings.functionTimeoutMs, name, () => startMs);
    const log: string[] = [];
    this.#logs.set(name, log);
    this.#busy.add(instance);
    const handler = await this.#code.load('aggregator', {
      instance,
      time: this.#time,
      random: createRandom(1, name),
      environment: environmentOf('aggregator', this.#settings),
      send: (request) => this.#send(instance, request),
      onLog: (line) => log.push(line),
    });
    handler(event, context).then((answer) =>
      this.#time.add({
        name: `${name} answers the batch`,
        instance,
        kind: 'batch answer',
        run: () => this.#settle(instance, batch, answer as SQSBatchResponse),
      }),
    );
    await letCodeRun();
  }

  /** The possible next events: each step, and each way in which an instance can die. */
  choices(): Choice[] {
    const steps = this.#possibleSteps().map((step) => this.#toChoice(step));
    if (this.#hasCrashed) return steps;
    return [...steps, ...[...this.#busy].flatMap((instance) => this.#deaths(instance))];
  }

  async choose(choice: Choice): Promise<void> {
    choice.run();
    await letCodeRun();
  }

  #createLink(code: string): void {
    const key = { PK: { S: `LINK#${code}` }, SK: { S: 'META' } };
    const link = { ...key, url: { S: 'u' }, clicks: { N: '0' } };
    this.#items.commit(new Map([[keyOf(link), link]]));
  }

  #send(caller: Instance, request: HttpRequest): Promise<{ response: unknown }> {
    const { operation, input } = readRequest(request);
    return new Promise((resolve) => {
      const answer = (status: number, body: string) =>
        deliver(this.#time, caller, () => resolve({ response: toResponse(status, body) }));
      const arrive = () =>
        this.#dynamoDb.handle(operation, input, ({ status, body }) =>
          this.#time.add({
            name: `${caller.name} gets an answer`,
            instance: caller,
            kind: 'answer',
            run: () => answer(status, body),
          }),
        );
      const name = `${caller.name}'s request arrives`;
      this.#time.add({ name, instance: caller, kind: 'arrival', run: arrive });
    });
  }

  #toChoice(step: Step): Choice {
    const run = () => {
      this.#time.remove(step);
      step.run();
    };
    return { name: step.name, touches: touchedBy(step), isDeath: false, run };
  }

  #deaths(instance: Instance): Choice[] {
    const { name } = instance;
    // There is only one death per world, so each excludes the others.
    const common = { touches: new Set([name, 'death']), isDeath: true };
    const dies = { ...common, name: `${name} dies`, run: () => this.#crash(instance, false) };
    if (!this.#hasRequest(instance)) return [dies];
    const run = () => this.#crash(instance, true);
    return [dies, { ...common, name: `${name} dies, its request too`, run }];
  }

  // Once two transactions have met often enough, the one in flight ends before another attempt.
  #possibleSteps(): Step[] {
    const alive = this.#time.steps.filter(
      ({ instance, kind }) => kind === 'arrival' || !instance?.dead,
    );
    const others = alive.filter(({ kind }) => kind !== 'wait');
    return this.#conflicts >= maxConflicts && others.length > 0 ? others : alive;
  }

  #hasRequest(instance: Instance): boolean {
    return this.#time.steps.some(
      ({ kind, instance: owner }) => kind === 'arrival' && owner === instance,
    );
  }

  #crash(instance: Instance, withRequest: boolean): void {
    this.#hasCrashed = true;
    instance.dead = true;
    this.#busy.delete(instance);
    this.#time.steps = this.#time.steps.filter(
      (step) => step.instance !== instance || (step.kind === 'arrival' && !withRequest),
    );
  }

  #settle(instance: Instance, batch: Message[], { batchItemFailures }: SQSBatchResponse): void {
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    this.#busy.delete(instance);
    this.#logs.get(instance.name)?.push(`fails ${[...failed].toSorted()}`);
    for (const message of batch) {
      if (failed.has(message.id) || !this.#queue.delete(message.id)) continue;
      this.auditor.onDeleted(message);
    }
  }

  #count(name: string): void {
    if (name === 'conflicts') this.#conflicts += 1;
  }
}
