import { makeSqsEvent } from '../../fixtures/sqs-events.ts';
import { findFailedIds } from '../../local/engines/batch-response.ts';
import { auditCounts } from './auditor.ts';
import { CellQueue } from './cell-queue.ts';
import { createCellTable } from './cell-table.ts';
import { planCell, } from './plan.ts';
/** Shorter than the function's real timeout, to keep the gauntlet fast. */
const hangTimeoutMs = 1500;
/** Lambda shuts down an execution environment after a few minutes without invocations. */
const maxIdleSeconds = 5 * 60;
const maxRounds = 100;
let cellCount = 0;
/** Runs one cell on the local engine and audits it. */
export async function runCell(resources, cell, options) {
    const { service, dynamodb } = resources;
    const plan = planCell(cell.fault, { ...options, batchSize: service.batchSize });
    const tableName = `compare-${process.pid}-${cellCount++}`;
    const run = {
        ...resources,
        cell,
        plan,
        tableName,
        table: await createCellTable(dynamodb, service.template, tableName, plan.codes),
        queue: new CellQueue(service, cell.approach === 'fifo'),
        instance: undefined,
        undeletable: new Set(plan.redelivery?.clickIds),
    };
    try {
        await playPlan(run);
        return { ...cell, ...(await audit(run)) };
    }
    finally {
        run.instance?.release();
        await run.table.remove();
    }
}
async function playPlan(run) {
    const { batches, resent } = run.plan;
    for (const batch of batches)
        await deliverBatch(run, batch);
    await drain(run);
    if (!resent)
        return;
    await passTime(run, resent.afterSeconds);
    for (const batch of resent.batches)
        await deliverBatch(run, batch);
    await drain(run);
}
async function deliverBatch(run, { messages, fault }) {
    for (const { body } of messages)
        run.queue.send(body);
    const received = run.queue.receive();
    if (received.length === 0)
        return;
    if (fault?.kind === 'take-turns')
        await deliverTwiceAtOnce(run, received, fault);
    else
        await deliver(run, received, fault);
}
/** Delivers until the queue is empty. Advances the clock while all messages are in flight. */
async function drain(run) {
    const { visibilityTimeoutSeconds } = run.service;
    const waitSeconds = Math.max(visibilityTimeoutSeconds, run.plan.redelivery?.afterSeconds ?? 0);
    for (let round = 0; round < maxRounds; round++) {
        const received = run.queue.receive();
        if (received.length > 0)
            await deliver(run, received);
        else if (run.queue.isEmpty)
            return;
        else
            await passTime(run, waitSeconds);
    }
    const cell = JSON.stringify(run.cell);
    throw new Error(`Expected the queue of ${cell} to be empty after ${maxRounds} rounds.`);
}
// One second more, so that everything due in the last second is included.
async function passTime(run, seconds) {
    run.queue.nowMs += (seconds + 1) * 1000;
    await run.table.expire(Date.now() + run.queue.nowMs);
    if (seconds < maxIdleSeconds)
        return;
    run.instance?.release();
    run.instance = undefined;
}
/** Handles a batch as Lambda's event source mapping does. */
async function deliver(run, received, fault) {
    settle(run, received, await invoke(run, await useInstance(run), received, fault));
}
/** Delivers the same messages to a second instance while the first is working. */
async function deliverTwiceAtOnce(run, received, fault) {
    for (const message of received)
        run.queue.hide(message, 0);
    const deliveries = [received, run.queue.receive()];
    const first = await useInstance(run);
    const second = await openInstance(run);
    const results = await takeTurns([first, second], (instance, index, onWaiting) => invoke(run, instance, deliveries[index] ?? [], fault, onWaiting));
    second.release();
    for (const result of results)
        settle(run, received, result);
}
async function useInstance(run) {
    if (!run.instance?.isAlive())
        run.instance = await openInstance(run);
    return run.instance;
}
function openInstance({ cell, tableName, functions }) {
    return functions.openInstance({ approach: cell.approach, tableName });
}
function invoke({ service, queue }, instance, received, fault, onWaiting) {
    const hangs = fault?.kind === 'hang';
    const timeoutMs = hangs ? hangTimeoutMs : service.functionTimeoutMs;
    return instance.invoke({ event: makeSqsEvent(received), timeoutMs, clockOffsetMs: queue.nowMs, fault }, { ...(hangs && { killAfterMs: timeoutMs }), ...(onWaiting && { onWaiting }) });
}
/** Deletes the messages that did not fail. SQS redelivers the others. */
function settle(run, received, result) {
    if (result.type === 'killed' || result.error !== undefined)
        return;
    const ids = received.map(({ messageId }) => messageId);
    const failed = findFailedIds(JSON.stringify(result.response ?? null), ids);
    const done = received.filter(({ messageId }) => !failed.has(messageId));
    const kept = done.filter((message) => isDeletionLost(run, message));
    run.queue.delete(done.filter((message) => !kept.includes(message)));
    for (const message of kept)
        run.queue.hide(message, run.plan.redelivery?.afterSeconds ?? 0);
}
/** Whether the deletion of this message is lost, which happens once per click. */
function isDeletionLost({ undeletable }, { body }) {
    return undeletable.size > 0 && undeletable.delete(JSON.parse(body).detail.clickId);
}
async function audit({ plan, queue, table }) {
    const messages = plan.batches.flatMap((batch) => batch.messages);
    const isCountable = (click) => plan.clicks.some(({ clickId }) => clickId === click?.clickId);
    const uncountable = messages.filter(({ click, isChanged }) => isChanged || !isCountable(click));
    const { deadLetters } = queue;
    return auditCounts({ clicks: plan.clicks, uncountable, deadLetters }, await table.readAll());
}
/**
 * Invokes function instances that take turns with their requests. Once every instance is waiting or
 * done, the one with the fewest turns continues, so the order of requests is the same in every run.
 * `invoke` must call `onWaiting` whenever its instance waits.
 */
function takeTurns(instances, invoke) {
    const states = instances.map(() => ({ isWaiting: false, isDone: false, turns: 0 }));
    const goOn = () => {
        if (!states.every(({ isWaiting, isDone }) => isWaiting || isDone))
            return;
        const waiting = states.filter(({ isWaiting }) => isWaiting);
        const [next] = waiting.toSorted((a, b) => a.turns - b.turns);
        if (!next)
            return;
        next.isWaiting = false;
        next.turns += 1;
        instances[states.indexOf(next)]?.go();
    };
    const run = async (instance, index) => {
        const change = (state) => {
            Object.assign(states[index] ?? {}, state);
            goOn();
        };
        try {
            return await invoke(instance, index, () => change({ isWaiting: true }));
        }
        finally {
            change({ isDone: true });
        }
    };
    return Promise.all(instances.map(run));
}
