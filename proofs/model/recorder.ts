import type { TransactWriteItemsInput } from '@aws-sdk/client-dynamodb';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Item } from '../../fixtures/dynamodb-items.ts';
import type { Answer, AwsService } from '../simulation/aws-service.ts';
import type { ClickAuditor } from '../simulation/clicks/click-auditor.ts';
import { ClickService } from '../simulation/clicks/click-service.ts';
import { type Change, keyOf } from '../simulation/dynamodb/item-store.ts';
import { numberOf, textOf } from '../simulation/dynamodb/item-values.ts';
import { currentInvocation } from '../simulation/instance.ts';
import { type Carrier, readRequest } from '../simulation/network.ts';
import { markerLifeMs } from '../simulation/stage-settings.ts';
import type { World } from '../simulation/world.ts';
import { encodeTrace, none, type Recorded, type RecordedEvent } from './trace-events.ts';
import {
  findEntries,
  poison,
  readRefusals,
  type SentEntry,
  type TracedClick,
} from './transactions.ts';

/** A transaction that the aggregator sent, as the model sees it. */
interface SentTransaction {
  token: string;
  entries: SentEntry[];
  /** The answers that DynamoDB gave, until one of them reaches the aggregator. */
  answers: { body: string; event: RecordedEvent }[];
}

type Listener = 'onEnqueued' | 'onDeleted' | 'onDeadLetter' | 'onCommit' | 'onStoredByHand';
type Heard<K extends Listener> = Parameters<ClickAuditor[K]>[0];

/** The clicks' world, whose steps it records from the outside: at the queue, the table and Lambda. */
export class RecordedClicks extends ClickService {
  readonly #world: World;
  readonly #startMs: number;
  readonly #events: RecordedEvent[] = [];
  readonly #messages = new Map<string, TracedClick>();
  readonly #batches = new Map<string, TracedClick[]>();
  readonly #sent = new Map<string, SentTransaction>();
  readonly #links = new Map<string, boolean>();
  #changes: Change[] = [];

  constructor(world: World) {
    super(world);
    this.#world = world;
    this.#startMs = Math.floor(world.now() / 1_000) * 1_000;
    this.#note('SETTINGS', { lifeSeconds: markerLifeMs(world.plan.settings) / 1_000 });
    this.#before('onEnqueued', ({ id, sent }) => {
      const click = sent.click ?? poison;
      this.#messages.set(id, click);
      const { id: clickId, code, day } = click;
      this.#note('ENQUEUE', { message: id, click: clickId, code, day });
    });
    this.#before('onDeleted', ({ id }) => this.#note('DELETE', { message: id }));
    this.#before('onDeadLetter', ({ id }) => this.#note('DIE', { message: id }));
    this.#before('onCommit', (changes) => {
      this.#changes = changes;
      this.#noteLinks(changes);
    });
    this.#before('onStoredByHand', (changes) => this.#noteLinks(changes));
  }

  get recorded(): Recorded {
    return encodeTrace(this.#events);
  }

  override async start(): Promise<void> {
    this.#watchInvocations();
    await super.start();
  }

  wrapTable(table: AwsService): AwsService {
    return {
      handle: (operation, input, reply, caller) => {
        const request = input as TransactWriteItemsInput;
        const sent = this.#sent.get(request.ClientRequestToken ?? '');
        if (!sent) return table.handle(operation, input, reply, caller);
        const record = ({ status, body }: Answer) => {
          // Blanks after the JSON tell the answers to one token apart.
          const answer = { status, body: body + ' '.repeat(sent.answers.length) };
          this.#onAnswer(sent, request, answer);
          reply(answer);
        };
        return table.handle(operation, input, record, caller);
      },
    };
  }

  wrapNetwork(network: Carrier): Carrier {
    return {
      send: async (caller, request, options) => {
        const { operation, input } = readRequest(request);
        const isOurs = caller.role === 'aggregator' && operation === 'TransactWriteItems';
        const sent = isOurs ? this.#onSend(input as TransactWriteItemsInput) : undefined;
        const handled = await network.send(caller, request, options);
        if (sent) this.#onHeard(sent, String(handled.response.body));
        return handled;
      },
    };
  }

  #note(kind: string, args: RecordedEvent['args']): RecordedEvent {
    const event = { seconds: this.#secondsAt(this.#world.now()), kind, args };
    this.#events.push(event);
    return event;
  }

  #secondsAt(timeMs: number): number {
    return Math.ceil((timeMs - this.#startMs) / 1_000);
  }

  #before<K extends Listener>(name: K, note: (heard: Heard<K>) => void): void {
    const real = this.auditor[name].bind(this.auditor) as typeof note;
    const listen = (heard: Heard<K>) => {
      note(heard);
      real(heard);
    };
    Object.assign(this.auditor, { [name]: listen });
  }

  #watchInvocations(): void {
    const aggregator = this.#world.functionOf('aggregator');
    const invoke = aggregator.invoke.bind(aggregator);
    aggregator.invoke = (invocation, event, onOutcome) => {
      const ids = (event as SQSEvent).Records.map(({ messageId }) => messageId);
      this.#batches.set(
        invocation,
        ids.map((id) => this.#messages.get(id) ?? poison),
      );
      const instance = invoke(invocation, event, (outcome) => {
        if ('answer' in outcome) {
          const { batchItemFailures } = outcome.answer as SQSBatchResponse;
          const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
          const positions = ids.flatMap((id, position) => (failed.has(id) ? position : []));
          this.#note('FINISH', { invocation, failed: toBits(positions) });
        }
        onOutcome(outcome);
      });
      this.#note('START', { invocation, instance });
      for (const [position, message] of ids.entries()) {
        const isLast = Number(position === ids.length - 1);
        this.#note('RECEIVE', { message, invocation, isLast, position });
      }
      return instance;
    };
  }

  #onSend({ ClientRequestToken: token = '', TransactItems = [] }: TransactWriteItemsInput) {
    const invocation = currentInvocation.getStore() ?? '';
    const known = this.#sent.get(token);
    if (known) {
      this.#note('RETRY', { token, invocation });
      return known;
    }
    const batch = this.#batches.get(invocation);
    if (!batch) throw new Error(`expected a batch of ${invocation}`);
    const entries = TransactItems.flatMap((item, action) => findEntries(batch, item, action));
    const sent: SentTransaction = { token, entries, answers: [] };
    this.#sent.set(token, sent);
    const positions = toBits(entries.map(({ position }) => position));
    this.#note('SEND', { token, invocation, positions });
    return sent;
  }

  #onAnswer(
    { token, entries, answers }: SentTransaction,
    { TransactItems = [] }: TransactWriteItemsInput,
    { status, body }: Answer,
  ): void {
    const note = (kind: string, refusals = {}) => {
      answers.push({ body, event: this.#note(kind, { token, isHeard: 0, ...refusals }) });
    };
    const { ConsumedCapacity, CancellationReasons } = JSON.parse(body);
    if (status === 200) {
      const isReplay = ConsumedCapacity?.[0]?.ReadCapacityUnits !== undefined;
      note(isReplay ? 'REPLAY' : 'COMMIT');
      if (!isReplay) this.#noteStored();
    } else if (CancellationReasons) {
      const read = (key: Item) => this.#world.items.get(keyOf(key));
      note('CANCEL', readRefusals(entries, TransactItems, CancellationReasons, read));
    }
  }

  #onHeard({ token, answers }: SentTransaction, body: string): void {
    const isRefused = body.includes('ValidationException') && !body.includes('CancellationReasons');
    // DynamoDB refused the request as a whole, so its entries go by themselves.
    if (isRefused) this.#note('DROP', { token });
    const heard = answers.find((answer) => answer.body === body);
    if (heard) heard.event.args.isHeard = 1;
  }

  #noteStored(): void {
    for (const { after } of this.#changes) {
      const key = textOf(after, 'PK');
      const [kind, name = ''] = key.split(/#(.*)/);
      const [, day] = textOf(after, 'SK').split('STAT#');
      const until = this.#secondsAt(numberOf(after, 'ttl') * 1_000);
      if (kind === 'CLICKS') this.#note('LIVES', { click: none, until, sheet: key });
      else if (kind === 'CLICK') this.#note('LIVES', { click: name, until });
      else if (day) this.#note('COUNT', { code: name, day, number: numberOf(after, 'count') });
      else this.#note('TOTAL', { code: name, number: numberOf(after, 'clicks') });
    }
  }

  #noteLinks(changes: Change[]): void {
    for (const { after } of changes) {
      if (textOf(after, 'SK') !== 'META') continue;
      const code = textOf(after, 'PK').slice('LINK#'.length);
      const exists = textOf(after, 'url') !== '' && 'N' in (after.clicks ?? {});
      if (this.#links.get(code) === exists) continue;
      this.#links.set(code, exists);
      this.#note('LINK', { code, exists: Number(exists) });
    }
  }
}

function toBits(positions: number[]): number {
  return positions.reduce((bits, position) => bits | (1 << position), 0);
}
