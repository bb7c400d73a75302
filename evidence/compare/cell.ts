import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Message as SqsMessage } from '@aws-sdk/client-sqs';
import { findFailedIds, toSqsEvent } from '../../local/engines/sqs-event.ts';
import type { Settings } from '../kit/packaged-service.ts';
import { auditCharges, auditCounts, type Findings } from './auditor.ts';
import { clockOffsetMs, setClock } from './clock.ts';
import type { Trouble } from './fault-injector.ts';
import type { Ending, FunctionHost, FunctionInstance } from './function-host.ts';
import type { Cell } from './names.ts';
import type { PaymentApi } from './payment-api.ts';
import { createPipeline, type Pipeline, type PipelineClients } from './pipeline.ts';
import { type Batch, type Plan, type PlannedClick, planCell } from './plan.ts';
import { type CellTable, createCellTable } from './table.ts';
import { takeTurns } from './turns.ts';

/** One line of results.json. */
export type CellResult = Cell & Findings;

export type CellOptions = { clickCount: number; seed: number };

/** What the cells of a lane share. */
export type Stage = {
  settings: Settings;
  dynamodbEndpoint: string;
  dynamodb: DynamoDBClient;
  pipelines: PipelineClients;
  nowherePort: number;
  payments: PaymentApi;
  functions: FunctionHost;
};

/** A function that hangs is killed sooner than it would be on AWS, so that nobody has to wait. */
const hangTimeoutMs = 1_500;
const maxIdleSeconds = 5 * 60;
const maxRounds = 100;

type Run = Stage & {
  cell: Cell;
  plan: Plan;
  tableName: string;
  table: CellTable;
  pipeline: Pipeline;
  instance: FunctionInstance | undefined;
  comingBack: Set<string>;
};

let cells = 0;

/** Runs one cell on the local engines and has it audited. */
export async function runCell(stage: Stage, cell: Cell, options: CellOptions): Promise<CellResult> {
  setClock(0);
  stage.payments.reset();
  const { settings } = stage;
  const plan = planCell(cell.fault, { ...options, batchSize: settings.batchSize });
  const name = `compare-${process.pid}-${cells++}`;
  const run: Run = {
    ...stage,
    cell,
    plan,
    tableName: name,
    table: await createCellTable(stage.dynamodb, settings.template, name, plan.codes),
    pipeline: await createPipeline(stage.pipelines, name, {
      isFifo: cell.approach === 'fifo',
      settings,
    }),
    instance: undefined,
    comingBack: new Set(plan.comeBack?.clickIds),
  };
  try {
    await playPlan(run);
    return { ...cell, ...(await audit(run)) };
  } finally {
    run.instance?.release();
    await run.pipeline.remove();
    await run.table.remove();
  }
}

async function playPlan(run: Run): Promise<void> {
  const { batches, sendAgain } = run.plan;
  for (const batch of batches) await deliverBatch(run, batch);
  await drain(run);
  if (!sendAgain) return;
  await passTime(run, sendAgain.afterSeconds);
  for (const batch of sendAgain.batches) await deliverBatch(run, batch);
  await drain(run);
}

async function deliverBatch(run: Run, { messages, trouble }: Batch): Promise<void> {
  await run.pipeline.publish(messages);
  const received = await run.pipeline.receive();
  if (received.length === 0) return;
  if (trouble?.kind === 'take-turns') await deliverTwiceAtOnce(run, received, trouble);
  else await deliver(run, received, trouble);
}

/** Delivers until the queue is empty, moving the clock where all that is left is hidden. */
async function drain(run: Run): Promise<void> {
  const { visibilityTimeoutSeconds } = run.settings;
  for (let round = 0; round < maxRounds; round++) {
    const received = await run.pipeline.receive();
    if (received.length > 0) await deliver(run, received);
    else if (await run.pipeline.isEmpty()) return;
    else
      await passTime(run, Math.max(visibilityTimeoutSeconds, run.plan.comeBack?.afterSeconds ?? 0));
  }
  throw new Error(`${JSON.stringify(run.cell)}: expected the queue to become empty; it did not.`);
}

// One second more, since what is due at this very second is due.
async function passTime(run: Run, seconds: number): Promise<void> {
  setClock(clockOffsetMs() + (seconds + 1) * 1000);
  await run.table.expire();
  // Lambda keeps no instance that long without work.
  if (seconds < maxIdleSeconds) return;
  run.instance?.release();
  run.instance = undefined;
}

/** Does what Lambda's event source mapping does with a batch. */
async function deliver(run: Run, received: SqsMessage[], trouble?: Trouble): Promise<void> {
  if (!run.instance?.isAlive) run.instance = await openInstance(run);
  const ending = await invoke(run, run.instance, received, trouble);
  await settle(run, received, ending);
}

/** The queue gives the same messages to a second worker while the first is still at work. */
async function deliverTwiceAtOnce(
  run: Run,
  received: SqsMessage[],
  trouble: Trouble,
): Promise<void> {
  for (const message of received) await run.pipeline.hide(message, 0);
  const again = await run.pipeline.receive();
  if (!run.instance?.isAlive) run.instance = await openInstance(run);
  const second = await openInstance(run);
  const turns = takeTurns([run.instance, second]);
  const endings = await Promise.all([
    turns.run(0, (onWaiting) => invoke(run, turns.worker(0), received, trouble, onWaiting)),
    turns.run(1, (onWaiting) => invoke(run, turns.worker(1), again, trouble, onWaiting)),
  ]);
  second.release();
  await settle(run, received, endings[0]);
  await settle(run, again, endings[1]);
}

function openInstance(run: Run): Promise<FunctionInstance> {
  const { dynamodbEndpoint, nowherePort, payments, tableName } = run;
  const { approach, effect } = run.cell;
  const paymentUrl = payments.url;
  const instance = { approach, effect, tableName, dynamodbEndpoint, nowherePort, paymentUrl };
  return run.functions.openInstance(instance);
}

async function invoke(
  run: Run,
  instance: FunctionInstance,
  received: SqsMessage[],
  trouble?: Trouble,
  onWaiting?: () => void,
): Promise<Ending> {
  const hangs = trouble?.kind === 'hang';
  const timeoutMs = hangs ? hangTimeoutMs : run.settings.functionTimeoutMs;
  const event = toSqsEvent(received, run.pipeline.queueArn);
  return instance.invoke(
    { event, timeoutMs, clockOffsetMs: clockOffsetMs(), trouble },
    { ...(hangs && { killAfterMs: timeoutMs }), ...(onWaiting && { onWaiting }) },
  );
}

/** Deletes what was not reported as failed; when the rest comes back is the queue's affair. */
async function settle(run: Run, received: SqsMessage[], ending: Ending): Promise<void> {
  if (ending.type !== 'answered') return;
  const ids = received.map(({ MessageId = '' }) => MessageId);
  const failed = findFailedIds(JSON.stringify(ending.response ?? null), ids);
  const done = received.filter(({ MessageId = '' }) => !failed.has(MessageId));
  const kept = done.filter((message) => comesBack(run, message));
  await run.pipeline.delete(done.filter((message) => !kept.includes(message)));
  const { afterSeconds = 0 } = run.plan.comeBack ?? {};
  // SQS hides nothing for more than 12 hours; later than that, nobody was there to receive it.
  for (const message of kept) {
    await run.pipeline.hide(message, Math.min(afterSeconds, run.settings.visibilityTimeoutSeconds));
  }
}

/** Whether this message's deletion is lost, which happens once. */
function comesBack(run: Run, { Body = '' }: SqsMessage): boolean {
  if (run.comingBack.size === 0) return false;
  return run.comingBack.delete(JSON.parse(Body).detail.clickId);
}

async function audit(run: Run): Promise<Findings> {
  const messages = run.plan.batches.flatMap((batch) => batch.messages);
  const isCountable = (click?: PlannedClick) =>
    run.plan.clicks.some(({ clickId }) => clickId === click?.clickId);
  const uncountable = messages.filter(({ click }) => !isCountable(click));
  const deadLetters = await run.pipeline.readDeadLetters();
  const evidence = { clicks: run.plan.clicks, uncountable, deadLetters };
  return run.cell.effect === 'count'
    ? auditCounts(evidence, await run.table.readAll())
    : auditCharges(evidence, run.payments.charges());
}
