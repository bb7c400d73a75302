// Delivers one event to the handler of an example, in a process of its own.

const { file, event, laterMs } = JSON.parse(process.argv[2] ?? '{}');

const now = Date.now;
Date.now = () => now() + laterMs;

const { handler } = await import(file);
const context = { getRemainingTimeInMillis: () => 10_000 };
const outcome = await handler(event, context).then(
  (value: unknown) => ({ value }),
  ({ name, message }: Error) => ({ error: `${name}: ${message}` }),
);
process.stdout.write(JSON.stringify(outcome));
