import { afterEach, expect, test, vi } from 'vitest';
import { linkVariables } from '../../helpers/aws-environment.ts';
import { call } from '../../helpers/http-api.ts';
import { link, marker } from '../../helpers/items.ts';
import { useOutput } from '../../helpers/output.ts';
import { answerInTurn, answerJson, startScriptedService } from '../../helpers/scripted-service.ts';
import { useTable } from '../../helpers/test-table.ts';

interface Entry {
  EventBusName: string;
  Source: string;
  DetailType: string;
  Detail: string;
}

const table = useTable(
  {
    ...linkVariables,
    BUS_NAME: 'click-bus',
    MAX_RECEIVE_COUNT: '3',
    VISIBILITY_TIMEOUT_SECONDS: '30',
  },
  ['TryClicks'],
);
const output = useOutput();
const run = '019ab3c4-d5e6-7f80-9a1b-2c3d4e5f6071';

afterEach(() => vi.resetModules());

/** The bus's answer if it rejects the entries at these positions. */
function takeAllBut(...refused: number[]) {
  const Entries = Array.from({ length: 10 }, (_, index) =>
    refused.includes(index) ? { ErrorCode: 'InternalFailure' } : { EventId: `event-${index}` },
  );
  return answerJson(200, { FailedEntryCount: refused.length, Entries });
}

async function startFunction(bus: { url: string }) {
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', bus.url);
  const { handler } = await import('../../../functions/try-clicks.ts');
  return {
    tryClicks: (body: object, caller?: string, headers = {}) =>
      call(handler, { routeKey: 'POST /live/try', headers, body: JSON.stringify(body) }, caller),
    readRun: (parts: { run: string; clicks?: string }, caller?: string) =>
      call(
        handler,
        {
          routeKey: 'GET /live/try/{run}',
          pathParameters: { run: parts.run },
          ...(parts.clicks && { queryStringParameters: { clicks: parts.clicks } }),
        },
        caller,
      ),
  };
}

const entriesOf = (bodies: unknown[]) =>
  bodies.flatMap((body) => (body as { Entries: Entry[] }).Entries);
const idsOf = (bodies: unknown[]) =>
  entriesOf(bodies).map(({ Detail }) => JSON.parse(Detail).clickId as string);

test("clicks on the caller's link go over the bus, ten at a time", async () => {
  await table.put({ ...link('own1'), owner: 'a-user' });
  const bus = await startScriptedService(takeAllBut());
  const { tryClicks } = await startFunction(bus);

  const { statusCode, body } = await tryClicks({ code: 'own1', scenario: 'hundred' });

  expect([statusCode, body]).toEqual([
    202,
    {
      run: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...{ messages: 110, clicks: 100, attempts: 3, attemptSeconds: 30 },
    },
  ]);
  const sizes = bus.bodies.map((sent) => entriesOf([sent]).length);
  expect(sizes).toEqual([10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10]);
  expect(entriesOf(bus.bodies)[0]).toMatchObject({
    EventBusName: 'click-bus',
    Source: 'click-tally',
    DetailType: 'link.clicked',
  });
  expect(idsOf(bus.bodies).slice(0, 2)).toEqual([`${body.run}-1`, `${body.run}-2`]);
  expect(output.audits()).toEqual([{ action: 'tried', sub: 'a-user', code: 'own1' }]);
});

test('only the messages that the bus rejects are sent again', async () => {
  await table.put({ ...link('own3'), owner: 'a-user' });
  const bus = await startScriptedService(
    answerInTurn(takeAllBut(), takeAllBut(1, 3), ...Array(9).fill(takeAllBut()), takeAllBut()),
  );
  const { tryClicks } = await startFunction(bus);

  const { statusCode, body } = await tryClicks({ code: 'own3', scenario: 'hundred' });

  expect(statusCode).toBe(202);
  expect(idsOf(bus.bodies.slice(11))).toEqual([`${body.run}-12`, `${body.run}-14`]);
});

test('the caller gets 503 if the bus rejects a message five times', async () => {
  await table.put({ ...link('own4'), owner: 'a-user' });
  const bus = await startScriptedService(
    answerInTurn(takeAllBut(1), ...Array(9).fill(takeAllBut(0))),
  );
  const { tryClicks } = await startFunction(bus);

  const { statusCode, body } = await tryClicks({ code: 'own4', scenario: 'twice' });

  expect([statusCode, body]).toEqual([
    503,
    { message: 'The bus accepted 1 of 2 messages. Try again.' },
  ]);
  expect(bus.bodies).toHaveLength(5);
  expect(output.audits()).toEqual([]);
});

test.each([
  ['of another user', 'other', [{ ...link('other'), owner: 'somebody-else' }]],
  ['without an owner', 'other', [link('other')]],
  ['that does not exist', 'none', []],
])('a link %s gets 404, and nothing is sent', async (_, code, items) => {
  await table.put(...items);
  const bus = await startScriptedService(takeAllBut());
  const { tryClicks } = await startFunction(bus);

  const { statusCode, body } = await tryClicks({ code, scenario: 'one' });

  const message = `There is no link with the code "${code}".`;
  expect([statusCode, body]).toEqual([404, { message }]);
  expect(bus.bodies).toEqual([]);
});

test("a run's counted clicks are those that have markers", async () => {
  await table.put(
    ...[1, 2, 100].map((number) => marker(`${run}-${number}`, 'own5', '2026-11-22')),
    marker('019ab3c4-d5e6-7f80-9a1b-2c3d4e5f6072-3', 'own5', '2026-11-22'),
  );
  const { readRun } = await startFunction({ url: 'http://127.0.0.1:1' });

  expect((await readRun({ run, clicks: '100' })).body).toEqual({ counted: 3 });
  expect((await readRun({ run, clicks: '2' })).body).toEqual({ counted: 2 });
  expect((await readRun({ run, clicks: '0' })).body).toEqual({ counted: 0 });
});

test.each([
  [
    { run: 'last', clicks: '1' },
    'expected the run to be a run from an earlier response; got "last"',
  ],
  [{ run, clicks: '101' }, 'expected clicks to be a whole number from 0 to 100; got "101"'],
  [{ run }, 'expected clicks to be a whole number from 0 to 100; got nothing'],
])('the request %j is rejected with the reason', async (parts, message) => {
  const { readRun } = await startFunction({ url: 'http://127.0.0.1:1' });

  const { statusCode, body } = await readRun(parts);

  expect([statusCode, body]).toEqual([400, { message }]);
});
