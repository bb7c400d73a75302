import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { meterClient } from '../../../fixtures/capacity-meter.ts';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import { breakdowns } from '../../../lib/clicks/breakdowns.ts';
import { createClickIds } from '../../../lib/clicks/click-id.ts';
import { failed, patientMs, useAggregator } from '../../helpers/aggregator.ts';
import { day, makeClick } from '../../helpers/clicks.ts';

const run = useAggregator();
const attributes = breakdowns.flatMap((breakdown) => Object.values(breakdown.attributes));
const mostValues = Math.max(...breakdowns.map((one) => Object.keys(one.attributes).length));

/** Clicks on one day and one sheet that cover every value of every breakdown. */
function clicksOfAllKinds(code: string): string[] {
  const mint = createClickIds();
  return Array.from({ length: mostValues }, (_, index) => {
    const values = breakdowns.map(({ name, attributes: listed }) => {
      const names = Object.keys(listed);
      return [name, names[index % names.length]];
    });
    const at = `${day}T${String(index % 24).padStart(2, '0')}:00:00Z`;
    return makeClick(mint('code').clickId, code, { ...Object.fromEntries(values), at });
  });
}

async function deliverMetered(bodies: string[]) {
  const meters: ReturnType<typeof meterClient>[] = [];
  const watch = (client: DynamoDBClient) => meters.push(meterClient(client));
  const instance = run.stack.newInstance(watch);
  const response = await instance(makeBatch(bodies), makeContext(patientMs));
  return { response, meter: meters[0] };
}

test('every value of every breakdown fits into one update, in one transaction', async () => {
  const code = await run.stack.createLink();

  const { response, meter } = await deliverMetered(clicksOfAllKinds(code));

  const { PK, SK, count, ...numbers } = (await run.stack.get(`LINK#${code}`, `STAT#${day}`)) ?? {};
  expect([response, meter?.requests]).toEqual([failed(), 1]);
  expect(count).toBe(mostValues);
  expect(Object.keys(numbers).toSorted()).toEqual(attributes.toSorted());
  for (const { attributes: listed } of breakdowns) {
    const sum = Object.values(listed).reduce((total, name) => total + numbers[name], 0);
    expect(sum).toBe(mostValues);
  }
});
