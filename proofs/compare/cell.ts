import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient, Message as SqsMessage } from '@aws-sdk/client-sqs';
import type { PackagedService } from '../../fixtures/packaged-service.ts';
import { findFailedIds } from '../../local/engines/batch-response.ts';
import { toSqsEvent } from '../../local/engines/sqs-event.ts';
import { clockOffsetMs, setClock } from '../tools/clock.ts';
import { auditCounts, type Findings } from './auditor.ts';
import { type CellTable, createCellTable } from './cell-table.ts';
import type { FunctionHost, FunctionInstance, InvocationResult } from './function-host.ts';
import type { Cell } from './names.ts';
import { createPipeline, type Pipeline } from './pipeline.ts';
import {
  type CellPlan,
  type InjectedFault,
  type PlannedBatch,
  type PlannedClick,
  planCell,
} from './plan.ts';
import { takeTurns } from './turns.ts';

export interface CellResult extends Cell, Findings {}

export interface CellOptions {
  clickCount: number;
  seed: number;
}

/** The resources that a lane's cells share. */
export interface LaneResources {
  service: PackagedService;
  dynamodbEndpoint: string;
  dynamodb: DynamoDBClient;
  sqs: SQSClient;
  /** A port that never answers. */
  silentPort: number;
  functions: FunctionHost;
}

interface CellRun extends LaneResources {
  cell: Cell;
  plan: CellPlan;
  tableName: string;
  table: CellTable;
  pipeline: Pipeline;
  instance: FunctionInstance | undefined;
  /** Click ids whose next deletion is lost. */
  undeletable: Set<string>;
}

/** Shorter than the function's real timeout, to keep the gauntlet fast. */
const hangTimeoutMs = 1_500;
/** Lambda shuts down an execution environment after a few minutes without invocations. */
const maxIdleSeconds = 5 * 60;
const maxRounds = 100;

let cellCount = 0;

/** Runs one cell on the local engines and audits it. */
export async function runCell(
  resources: LaneResources,
  cell: Cell,
  options: CellOptions,
): Promise<CellResult> {
  setClock(0);
  const { service, dynamodb } = resources;
  const plan = planCell(cell.fault, { ...options, batchSize: service.batchSize });
  const name = `compare-${process.pid}-${cellCount++}`;
  const isFifo = cell.approach === 'fifo';
  const run: CellRun = {
    ...resources,
    cell,
    plan,
    tableName: name,
    table: await createCellTable(dynamodb, service.template, name, plan.codes),
    pipeline: await createPipeline(resources.sqs, name, { isFifo, service }),
    instance: undefined,
    undeletable: new Set(plan.redelivery?.clickIds),
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

async function playPlan(run: CellRun): Promise<void> {
  const { batches, resent } = run.plan;
  for (const batch of batches) await deliverBatch(run, batch);
  await drain(run);
  if (!resent) return;
  await passTime(run, resent.afterSeconds);
  for (const batch of resent.batches) await deliverBatch(run, batch);
  await drain(run);
}

async function deliverBatch(run: CellRun, { messages, fault }: PlannedBatch): Promise<void> {
  await run.pipeline.publish(messages);
  const received = await run.pipeline.receive();
  if (received.length === 0) return;
  if (fault?.kind === 'take-turns') await deliverTwiceAtOnce(run, received, fault);
  else await deliver(run, received, fault);
}

/** Delivers until the queue is empty. Advances the clock while all messages are in flight. */
async function drain(run: CellRun): Promise<void> {
  const { visibilityTimeoutSeconds } = run.service;
  const waitSeconds = Math.max(visibilityTimeoutSeconds, run.plan.redelivery?.afterSeconds ?? 0);
  for (let round = 0; round < maxRounds; round++) {
    const received = await run.pipeline.receive();
    if (received.length > 0) await deliver(run, received);
    else if (await run.pipeline.isEmpty()) return;
    else await passTime(run, waitSeconds);
  }
  const cell = JSON.stringify(run.cell);
  throw new Error(`Expected the queue of ${cell} to be empty after ${maxRounds} rounds.`);
}

// One second more, so that everything due in the last second is included.
async function passTime(run: CellRun, seconds: number): Promise<void> {
  setClock(clockOffsetMs() + (seconds + 1) * 1000);
  await run.table.expire();
  if (seconds < maxIdleSeconds) return;
  run.instance?.release();
  run.instance = undefined;
}

/** Handles a batch as Lambda's event source mapping does. */
async function deliver(run: CellRun, received: SqsMessage[], fault?: InjectedFault): Promise<void> {
  const result = await invoke(run, await useInstance(run), received, { fault });
  await settle(run, received, result);
}

/** Delivers the same messages to a second instance while the first is working. */
async function deliverTwiceAtOnce(
  run: CellRun,
  received: SqsMessage[],
  fault: InjectedFault,
): Promise<void> {
  for (const message of received) await run.pipeline.hide(message, 0);
  const again = await run.pipeline.receive();
  const first = await useInstance(run);
  const second = await openInstance(run);
  const deliveries = [received, again];
  const results = await takeTurns([first, second], async (instance, index, onWaiting) => {
    const messages = deliveries[index] ?? [];
    return { messages, result: await invoke(run, instance, messages, { fault, onWaiting }) };
  });
  second.release();
  for (const { messages, result } of results) await settle(run, messages, result);
}

async function useInstance(run: CellRun): Promise<FunctionInstance> {
  if (!run.instance?.isAlive()) run.instance = await openInstance(run);
  return run.instance;
}

function openInstance(run: CellRun): Promise<FunctionInstance> {
  const { cell, dynamodbEndpoint, silentPort, tableName, functions } = run;
  const settings = { approach: cell.approach, tableName, dynamodbEndpoint, silentPort };
  return functions.openInstance(settings);
}

function invoke(
  run: CellRun,
  instance: FunctionInstance,
  received: SqsMessage[],
  { fault, onWaiting }: { fault?: InjectedFault | undefined; onWaiting?: () => void },
): Promise<InvocationResult> {
  const hangs = fault?.kind === 'hang';
  const timeoutMs = hangs ? hangTimeoutMs : run.service.functionTimeoutMs;
  const event = toSqsEvent(received, run.pipeline.queueArn);
  return instance.invoke(
    { event, timeoutMs, clockOffsetMs: clockOffsetMs(), fault },
    { ...(hangs && { killAfterMs: timeoutMs }), ...(onWaiting && { onWaiting }) },
  );
}

/** Deletes the messages that did not fail. SQS redelivers the others. */
async function settle(
  run: CellRun,
  received: SqsMessage[],
  result: InvocationResult,
): Promise<void> {
  if (result.type === 'killed' || result.error !== undefined) return;
  const ids = received.map(({ MessageId = '' }) => MessageId);
  const failed = findFailedIds(JSON.stringify(result.response ?? null), ids);
  const done = received.filter(({ MessageId = '' }) => !failed.has(MessageId));
  const kept = done.filter((message) => isDeletionLost(run, message));
  await run.pipeline.delete(done.filter((message) => !kept.includes(message)));
  const { afterSeconds = 0 } = run.plan.redelivery ?? {};
  // SQS hides messages for at most 12 hours. A later redelivery means that no consumer was
  // polling.
  for (const message of kept) {
    await run.pipeline.hide(message, Math.min(afterSeconds, run.service.visibilityTimeoutSeconds));
  }
}

/** Whether the deletion of this message is lost, which happens once per click. */
function isDeletionLost(run: CellRun, { Body = '' }: SqsMessage): boolean {
  if (run.undeletable.size === 0) return false;
  return run.undeletable.delete(JSON.parse(Body).detail.clickId);
}

async function audit({ plan, pipeline, table }: CellRun): Promise<Findings> {
  const messages = plan.batches.flatMap((batch) => batch.messages);
  const isCountable = (click?: PlannedClick) =>
    plan.clicks.some(({ clickId }) => clickId === click?.clickId);
  const uncountable = messages.filter(({ click, isChanged }) => isChanged || !isCountable(click));
  const deadLetters = await pipeline.readDeadLetters();
  const evidence = { clicks: plan.clicks, uncountable, deadLetters };
  return auditCounts(evidence, await table.readAll());
}
