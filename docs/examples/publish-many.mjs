import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';

const bus = new EventBridgeClient();
const maxAttempts = 5;
const clicksPerEvent = 200;

async function publishMany(clicks) {
  const entry = {
    EventBusName: process.env.BUS_NAME,
    Source: 'click-tally',
    DetailType: 'link.clicked',
    Detail: JSON.stringify({ clicks }),
  };
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const { FailedEntryCount } = await bus.send(new PutEventsCommand({ Entries: [entry] }));
    if (FailedEntryCount === 0) return;
    await sleep(100 * 2 ** attempt * Math.random());
  }
  throw new Error(`${clicks.length} clicks weren't published`);
}

const at = new Date().toISOString();
const clicks = Array.from({ length: 450 }, () => ({ clickId: randomUUID(), code: 'spring', at }));
while (clicks.length > 0) await publishMany(clicks.splice(0, clicksPerEvent));
