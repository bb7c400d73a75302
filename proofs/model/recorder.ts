import type { TransactWriteItemsInput } from '@aws-sdk/client-dynamodb';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Item } from '../../fixtures/dynamodb-items.ts';
import type { Answer, AwsService } from '../simulation/aws-service.ts';
import { ClickService } from '../simulation/clicks/click-service.ts';
import { type Change, keyOf } from '../simulation/dynamodb/item-store.ts';
import { numberOf, textOf } from '../simulation/dynamodb/item-values.ts';
import { currentInvocation } from '../simulation/instance.ts';
import { type Carrier, readRequest } from '../simulation/network.ts';
import type { Message } from '../simulation/queue.ts';
import { markerLifeMs } from '../simulation/stage-settings.ts';
import type { World } from '../simulation/world.ts';
import type { RecordedEvent, TracedClick } from './recorded-event.ts';
import { Trace } from './trace-events.ts';
import { type Batch, findEntries, poison, readRefusals, type SentEntry } from './transactions.ts';

/** A transaction that the aggregator sent, as the model sees it. */
interface SentTransaction {
  token: string;
  batch: Batch;
  entries: SentEntry[];
  /** The answers that DynamoDB gave, until one of them reaches the aggregator. */
  answers: { body: string; event: RecordedEvent }[];
}

/** The clicks' world, whose steps it records from the outside: at the queue, the table and Lambda. */
export class RecordedClicks extends ClickService {
  readonly trace = new Trace();
  readonly #world: World;
  readonly #messages = new Map<string, TracedClick>();
  readonly #batches = new Map<string, Batch>();
  readonly #sent = new Map<string, SentTransaction>();
  readonly #links = new Map<string, boolean>();
  #changes: Change[] = [];

  constructor(world: World) {
    super(world);
    this.#world = world;
    this.#note('SETTINGS', markerLifeMs(world.plan.settings) / 1_000);
    const { auditor } = this;
    this.#before(auditor, 'onEnqueued', (message: Message) => this.#onEnqueued(message));
    this.#before(auditor, 'onDeleted', ({ id }: Message) => this.#note('DELETE', { message: id }));
    this.#before(auditor, 'onDeadLetter', ({ id }: Message) => this.#note('DIE', { message: id }));
    this.#before(auditor, 'onCommit', (changes: Change[]) => {
      this.#changes = changes;
      this.#noteLinks(changes);
    });
    this.#before(auditor, 'onStoredByHand', (changes: Change[]) => this.#noteLinks(changes));
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
        const isOurs = sent && operation === 'TransactWriteItems';
        // Blanks after the JSON tell the answers to one token apart.
        const record = (sent: SentTransaction, { status, body }: Answer): Answer => {
          const answer = { status, body: body + ' '.repeat(sent.answers.length) };
          this.#onAnswer(sent, request, answer);
          return answer;
        };
        const pass = (answer: Answer) => reply(isOurs ? record(sent, answer) : answer);
        return table.handle(operation, input, pass, caller);
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
        if (sent) hear(sent, String(handled.response.body), () => this.#onRefused(sent));
        return handled;
      },
    };
  }

  #note(kind: string, values: RecordedEvent['values'] | number = {}): RecordedEvent {
    const given = typeof values === 'number' ? { number: values } : values;
    return this.trace.add(this.#world.now(), kind, given);
  }

  // biome-ignore lint/suspicious/noExplicitAny: any method of the auditor.
  #before<T, K extends keyof T>(target: T, name: K, note: (...args: any[]) => void): void {
    const real = target[name] as (...args: unknown[]) => unknown;
    const replacement = (...args: unknown[]) => {
      note(...args);
      return real.apply(target, args);
    };
    target[name] = replacement as T[K];
  }

  #onEnqueued({ id, sent }: Message): void {
    const click: TracedClick = sent.click ?? poison;
    this.#messages.set(id, click);
    this.#note('ENQUEUE', { message: id, click });
  }

  #watchInvocations(): void {
    const aggregator = this.#world.functionOf('aggregator');
    const invoke = aggregator.invoke.bind(aggregator);
    aggregator.invoke = (invocation, event, onOutcome) => {
      const ids = (event as SQSEvent).Records.map(({ messageId }) => messageId);
      const clicks = ids.map((id) => this.#messages.get(id) ?? poison);
      this.#batches.set(invocation, { invocation, clicks });
      const instance = invoke(invocation, event, (outcome) => {
        if ('answer' in outcome) {
          const { batchItemFailures: failures } = outcome.answer as SQSBatchResponse;
          const failed = new Set(failures.map(({ itemIdentifier }) => itemIdentifier));
          const positions = ids.flatMap((id, position) => (failed.has(id) ? position : []));
          this.#note('FINISH', { invocation, positions });
        }
        onOutcome(outcome);
      });
      this.#note('START', { invocation, instance });
      for (const [index, message] of ids.entries()) {
        this.#note('RECEIVE', { message, invocation, number: Number(index === ids.length - 1) });
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
    const entries = TransactItems.flatMap(({ Put, Update }, action) =>
      findEntries(
        batch,
        action,
        (Put?.Item ?? Update?.Key) as Item,
        Update?.ExpressionAttributeValues as Item,
      ),
    );
    const sent: SentTransaction = { token, batch, entries, answers: [] };
    this.#sent.set(token, sent);
    this.#note('SEND', { token, invocation, positions: entries.map(({ position }) => position) });
    return sent;
  }

  #onAnswer(
    sent: SentTransaction,
    request: TransactWriteItemsInput,
    { status, body }: Answer,
  ): void {
    const { token } = sent;
    const note = (kind: string, values = {}) => {
      const event = this.#note(kind, { token, ...values });
      sent.answers.push({ body, event });
    };
    const parsed = JSON.parse(body);
    if (status === 200) {
      const isReplay = parsed.ConsumedCapacity?.[0]?.ReadCapacityUnits !== undefined;
      note(isReplay ? 'REPLAY' : 'COMMIT');
      if (!isReplay) this.#noteStored(this.#changes);
    } else if (parsed.CancellationReasons) {
      const read = (key: Item) => this.#world.items.get(keyOf(key));
      note('CANCEL', {
        refusals: readRefusals(sent.entries, request, parsed.CancellationReasons, read),
      });
    }
  }

  // DynamoDB refused the request as a whole, so its entries go by themselves.
  #onRefused({ token }: SentTransaction): void {
    this.#note('DROP', { token });
  }

  #noteStored(changes: Change[]): void {
    for (const { after } of changes) {
      const [kind, name = ''] = textOf(after, 'PK').split(/#(.*)/);
      const sort = textOf(after, 'SK');
      if (kind === 'LINK' && sort === 'META') {
        this.#note('TOTAL', { code: name, number: numberOf(after, 'clicks') });
      } else if (kind === 'LINK') {
        const day = sort.slice('STAT#'.length);
        this.#note('COUNT', { code: name, day, number: numberOf(after, 'count') });
      } else {
        const isSheet = kind === 'CLICKS';
        const click = isSheet ? undefined : { id: name, code: '', day: '' };
        const sheet = isSheet ? textOf(after, 'PK') : undefined;
        this.#note('LIVES', {
          ...(click && { click }),
          ...(sheet && { sheet }),
          number: numberOf(after, 'ttl'),
        });
      }
    }
  }

  #noteLinks(changes: Change[]): void {
    for (const { after } of changes) {
      if (textOf(after, 'SK') !== 'META') continue;
      const code = textOf(after, 'PK').slice('LINK#'.length);
      const exists = textOf(after, 'url') !== '' && 'N' in (after.clicks ?? {});
      if (this.#links.get(code) === exists) continue;
      this.#links.set(code, exists);
      this.#note('LINK', { code, number: Number(exists) });
    }
  }
}

function hear({ answers }: SentTransaction, body: string, onRefused: () => void): void {
  if (body.includes('ValidationException') && !body.includes('CancellationReasons')) onRefused();
  const heard = answers.find((answer) => answer.body === body);
  if (heard) heard.event.values.isHeard = true;
}
