import { type Rule, startEventBus } from '../../local/stack/event-bus.ts';
import { openStage, type Packaged } from './stage-template.ts';

/** Starts a stage's bus with its rules. `takeEvents` returns the events that a target has received. */
export async function startStageBus(stage: Packaged) {
  const { readType } = await openStage(stage);
  const rules = Object.values(readType('Events::Rule')) as unknown as Rule[];
  const received: { arn: string; event: string }[] = [];
  const { url, createRules, stop } = await startEventBus();
  createRules(
    rules.filter(({ EventPattern }) => EventPattern),
    async (arn, event) => void received.push({ arn, event }),
  );
  const takeEvents = (target: string) =>
    received.flatMap(({ arn, event }) => (arn === `arn:${target}` ? [event] : []));
  return { url, takeEvents, [Symbol.asyncDispose]: stop };
}
