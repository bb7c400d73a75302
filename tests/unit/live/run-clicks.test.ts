import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterEach, expect, test, vi } from 'vitest';
import { localClientConfig } from '../../../cli/local-aws.ts';
import type { ClickDetail } from '../../../lib/clicks/click-event.ts';
import { putClicks } from '../../../lib/live/run-clicks.ts';
import { answerInTurn, answerJson, startScriptedService } from '../../helpers/scripted-service.ts';

const click: ClickDetail = {
  ...{ clickId: 'click-1', code: 'docs', at: '2026-11-22T07:00:00.000Z' },
  ...{ visitor: 'human', device: 'desktop', referrer: 'direct' },
};
const taken = { FailedEntryCount: 0, Entries: [{ EventId: 'event-1' }] };

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function startBus(...answers: object[]) {
  const service = await startScriptedService(
    answerInTurn(...answers.map((answer) => answerJson(200, answer))),
  );
  const client = new EventBridgeClient(localClientConfig(service.url));
  return { bus: { client, busName: 'click-bus' }, bodies: service.bodies };
}

test('a click that the bus does not confirm is sent again', async () => {
  const { bus, bodies } = await startBus(
    { FailedEntryCount: 1 },
    { FailedEntryCount: 1, Entries: [] },
    taken,
  );

  await putClicks(bus, [click]);

  expect(bodies).toHaveLength(3);
});

test('clicks that the bus refuses are retried with backoff', async () => {
  vi.useFakeTimers({ now: 0 });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const refused = { FailedEntryCount: 1, Entries: [{ ErrorCode: 'InternalFailure' }] };
  const answers = [refused, refused, taken];
  const sentAtMs: number[] = [];
  const send = async () => {
    sentAtMs.push(Date.now());
    return answers.shift();
  };
  const client = Object.assign(new EventBridgeClient({}), { send });

  const putting = putClicks({ client, busName: 'click-bus' }, [click]);
  await vi.runAllTimersAsync();
  await putting;

  // Half of at most 50 ms, then half of at most 100 ms.
  expect(sentAtMs).toEqual([0, 25, 75]);
});
