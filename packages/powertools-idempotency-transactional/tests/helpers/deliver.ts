// Delivers one event to the handler of an example, in a process of its own that may kill itself.

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

const { file, event, crash, laterMs } = JSON.parse(process.argv[2] ?? '{}');

const now = Date.now;
Date.now = () => now() + laterMs;

/** Not even a finally runs after this. */
function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

const { send } = DynamoDBClient.prototype;
Object.assign(DynamoDBClient.prototype, {
  async send(this: DynamoDBClient, ...args: unknown[]) {
    if (crash === 'before the commit') await die();
    const answer = await Reflect.apply(send, this, args);
    if (crash === 'after the commit') await die();
    return answer;
  },
});

const { handler } = await import(file);
const context = { getRemainingTimeInMillis: () => 10_000 };
const outcome = await handler(event, context).then(
  (value: unknown) => ({ value }),
  ({ name, message }: Error) => ({ error: `${name}: ${message}` }),
);
process.stdout.write(JSON.stringify(outcome));
