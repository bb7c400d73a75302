// Runs in a separate process with --expose-gc and reports the memory that large batches need.
import { startHttpServer } from '../../cli/loopback/http-server.ts';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { makeBatch } from '../../fixtures/sqs-events.ts';

const [bundle = ''] = process.argv.slice(2);
const at = '2026-05-26T10:00:00Z';
const bigBatches = 10;
const bigBatchSize = 1_000;

// Every write succeeds. The layer requires the consumed capacity as proof.
const dynamodb = await startHttpServer(async () => ({
  status: 200,
  body: { ConsumedCapacity: [{ TableName: process.env.TABLE_NAME, CapacityUnits: 2 }] },
}));
process.env.AWS_ENDPOINT_URL_DYNAMODB = dynamodb.url;
const { handler } = await import(bundle);

await deliver('warm-up', 10);
gc?.();
const idleBytes = readBytes();
let peakBytes = 0;
const sample = () => {
  peakBytes = Math.max(peakBytes, readBytes());
};
const timer = setInterval(sample, 1);
for (let batch = 0; batch < bigBatches; batch++) {
  await deliver(String(batch), bigBatchSize);
  sample();
  gc?.();
}
clearInterval(timer);
await dynamodb.stop();
process.send?.(peakBytes - idleBytes, () => process.disconnect());

function deliver(batch: string, count: number): Promise<void> {
  const bodies = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ id: `${batch}-${index}`, detail: { code: `link-${index % 20}`, at } }),
  );
  return handler(makeBatch(bodies), makeContext(60_000));
}

function readBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
