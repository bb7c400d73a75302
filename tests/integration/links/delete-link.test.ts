import { DynamoDBClient, type QueryInput } from '@aws-sdk/client-dynamodb';
import { describe, expect, test, vi } from 'vitest';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { releaseCode } from '../../../lib/links/storage/link-deletion.ts';
import { updateAnyLink } from '../../../lib/links/storage/link-update.ts';
import { localClientConfig } from '../../../loopback/local-aws.ts';
import { useApi } from '../../helpers/api.ts';
import { useClock } from '../../helpers/clock.ts';
import {
  cancellation,
  type Fault,
  injectFault,
  serviceError,
  times,
} from '../../helpers/faults.ts';
import { dayOf, link, manyDays, sketchItem } from '../../helpers/items.ts';
import { useModule } from '../../helpers/test-table.ts';

const roles = ['CreateLink', 'DeleteLink', 'GetLinkStats', 'ImportLinks', 'ListLinks'];
const { table, operator, faults, output, send } = useApi([
  ...roles,
  ...['GetOverview', 'PurgeLinks', 'ResolveLink', 'UpdateLink'],
]);
const purge = useModule(() => import('../../../functions/purge-links.ts'));
const visitors = useModule(() => import('../../../lib/redirect/find-link.ts'));

const url = 'https://example.com/';
const deletedAt = '2026-05-26T10:00:00.000Z';
useClock(deletedAt);
const purgedAt = '2026-08-24T10:00:00.001Z';
const at = (time: string) => vi.setSystemTime(new Date(time));

const remove = (code: string, caller = 'anna') => send(caller, `DELETE /links/${code}`);
const restore = (code: string, caller = 'anna') => send(caller, `POST /links/${code}/restore`);
const create = (code: string, caller = 'bert') =>
  send(caller, 'POST /links', { body: { url, code } });
const importRow = async (row: object) => {
  const body = { links: [{ key: 'row-1', url, ...row }] };
  return (await send('anna', 'POST /links/import', { body })).body.outcomes[0];
};
const listed = async (query = '', caller = 'anna') => {
  const { body } = await send(caller, `GET /links?limit=1000${query}`);
  return body.links.map(({ code }: { code: string }) => code);
};
const getStats = (code: string) => send('anna', `GET /links/${code}/stats`);
const readStats = async (code: string) => (await getStats(code)).statusCode;
const runPurge = () => purge.handler({}, makeContext(900_000));

/** Counts a click; the failure's name otherwise. */
const click = (code: string, time: string) =>
  table.countClick(code, time).then(
    () => 'counted',
    (error: Error) => error.name,
  );
const putOwn = (code: string, more = {}) =>
  table.put(
    { ...link(code, 3), owner: 'anna', ...more },
    { ...dayOf(code, '2026-05-26', 3), vh: 3 },
    { PK: `LINK#${code}`, SK: 'UTM#2026-05-26', s: 1 },
    sketchItem(code, '2026-05-26', [1, 2]),
  );
const itemsOf = async (code: string) => (await table.list(`LINK#${code}`)).map(({ SK }) => SK);
const count = async (code: string) => (await table.get(`LINK#${code}`, 'META'))?.clicks;

test('a deleted link is gone for its owner and visitors, and comes back as it was', async () => {
  await putOwn('spring', { disabled: true, disabledBy: 'operator' });
  const before = await table.get('LINK#spring', 'META');

  const deleted = await remove('spring');

  expect(deleted).toMatchObject({
    statusCode: 200,
    body: { code: 'spring', deletedAt, keptUntil: '2026-08-24T10:00:00.000Z' },
  });
  expect(await listed()).not.toContain('spring');
  expect(await listed('&deleted=true')).toContain('spring');
  expect(await listed('&deleted=true', 'bert')).not.toContain('spring');
  expect(await readStats('spring')).toBe(404);
  await expect(visitors.findLink('spring')).rejects.toMatchObject({ statusCode: 404 });
  const edit = { body: { url: `${url}new` } };
  expect(await send('anna', 'PATCH /links/spring', edit)).toMatchObject({ statusCode: 404 });

  expect(await restore('spring')).toMatchObject({ statusCode: 200, body: { clicks: 3 } });
  expect((await getStats('spring')).body).toMatchObject({ visitors: 2 });
  expect(await table.get('LINK#spring', 'META')).toEqual({ ...before, version: 2 });
  expect(await listed()).toContain('spring');
  expect(await listed('&deleted=true')).not.toContain('spring');
  expect(await table.get('DELETED', `${deletedAt}#spring`)).toBeUndefined();
  const audits = output.audits().filter(({ action }) => /deleted|restored/.test(action));
  expect(audits).toMatchObject([
    { action: 'deleted', sub: 'anna', code: 'spring' },
    { action: 'restored', sub: 'anna', code: 'spring' },
  ]);
});

test('repeated and concurrent requests change nothing, and others are rejected', async () => {
  await putOwn('twice');
  await table.put(link('ownerless'));

  const both = await Promise.all([remove('twice'), remove('twice')]);
  at('2026-05-27T10:00:00.000Z');
  const later = await remove('twice');

  expect([...both, later].map(({ body }) => body.deletedAt)).toEqual(Array(3).fill(deletedAt));
  for (const answer of [await remove('twice', 'bert'), await restore('twice', 'bert')]) {
    expect(answer.statusCode).toBe(404);
  }
  expect((await remove('ownerless')).statusCode).toBe(404);
  expect((await remove('absent')).statusCode).toBe(404);
  const restored = await Promise.all([restore('twice'), restore('twice')]);
  expect([...restored, await restore('twice')].map(({ statusCode }) => statusCode)).toEqual(
    Array(3).fill(200),
  );
});

test('a link that is restored twice at once is there, even if DynamoDB rejects one without the item', async () => {
  await putOwn('bare-restore');
  await remove('bare-restore');
  const isFirst = times(1);
  faults.set('TransactWriteItems', {
    before: async (input) => {
      if (!isFirst()) return;
      await restore('bare-restore');
      throw cancellation(input, { Code: 'ConditionalCheckFailed' }, ({ Update }) =>
        Boolean(Update),
      );
    },
  });

  expect((await restore('bare-restore')).statusCode).toBe(200);
});

test('a restore that comes late does not undo a later deletion', async () => {
  await putOwn('later');
  await remove('later');
  const fails = times(1);
  const later = '2026-05-27T10:00:00.000Z';
  const fault: Fault = {
    before: async () => {
      if (!fails()) return;
      await restore('later');
      at(later);
      await remove('later');
    },
  };
  faults.set('TransactWriteItems', fault);

  expect((await restore('later')).statusCode).toBe(404);
  expect(await table.get('LINK#later', 'META')).toMatchObject({ deletedAt: later });
  expect(await table.get('DELETED', `${later}#later`)).toBeDefined();
});

test('clicks from before the deletion and a minute after it count, and later ones when it is restored', async () => {
  await putOwn('late');
  await remove('late');
  const early = '2026-05-20';
  const cached = '2026-05-26T10:01:00.000Z';
  const after = '2026-05-26T10:01:00.001Z';

  expect(await click('late', early)).toBe('counted');
  expect(await click('late', cached)).toBe('counted');
  expect(await click('late', after)).toBe('ConditionFailedError');
  expect(await count('late')).toBe(5);
  await restore('late');
  expect(await click('late', after)).toBe('counted');
});

describe('a code', () => {
  test('is kept for 90 days, in any spelling, and for imports', async () => {
    await putOwn('kept');
    await remove('kept');

    const taken = 'The code kept is taken. Choose another one, or leave it out.';
    const own =
      'The code kept belongs to a link that you deleted. Restore it, or choose another code.';
    expect(await create('kept')).toMatchObject({ statusCode: 409, body: { message: taken } });
    expect((await create('KEPT')).statusCode).toBe(409);
    expect((await create('kept', 'anna')).body.message).toBe(own);
    expect(await importRow({ key: 'kept', code: 'kept' })).toMatchObject({ message: own });
  });

  test('of an imported row says that its link was deleted, and a restored one exists', async () => {
    const row = { key: 'again', code: 'again' };
    await importRow(row);
    await remove('again');

    const message =
      'This row created the link again, which was deleted. Restore it, or create a new link.';
    expect(await importRow(row)).toEqual({ outcome: 'refused', message });
    await restore('again');
    expect(await importRow(row)).toMatchObject({ outcome: 'existing', code: 'again' });
    await remove('again');
    at(purgedAt);
    await runPurge();
    expect(await importRow(row)).toEqual({ outcome: 'refused', message });
  });

  test('is free after the purge: its new link has none of the old clicks', async () => {
    await putOwn('made');
    await table.put(...manyDays('made', 250, 0));
    await remove('made');
    at('2026-08-24T10:00:00.000Z');
    await runPurge();
    expect(await count('made')).toBe(3);

    at(purgedAt);
    await runPurge();

    expect(await itemsOf('made')).toEqual(['META']);
    const tombstone = { PK: 'LINK#made', SK: 'META', purgedAt, since: '9999' };
    const ttl = Math.floor(Date.parse(purgedAt) / 1_000) + 400 * 86_400;
    const version = Date.parse(purgedAt) + 1;
    expect(await table.get('LINK#made', 'META')).toEqual({ ...tombstone, ttl, version });
    expect(await table.get('CHANGE#made', 'CHANGE')).toMatchObject({ ttl, version });
    expect(await table.get('DELETED', `${deletedAt}#made`)).toBeUndefined();
    expect((await restore('made')).statusCode).toBe(404);
    expect(await readStats('made')).toBe(404);
    await expect(visitors.findLink('made')).rejects.toMatchObject({ statusCode: 404 });
    const enabling = updateAnyLink(operator(), { code: 'made', disabled: false });
    expect(await enabling).toBeUndefined();
    expect(await releaseCode(operator(), 'made')).toBe(false);
    expect(await click('made', '2026-05-25')).toBe('ConditionFailedError');

    at('2026-09-01T10:00:00.000Z');
    expect((await create('made')).statusCode).toBe(201);
    expect(await click('made', '2026-09-01T09:59:59.999Z')).toBe('ConditionFailedError');
    expect(await click('made', '2026-09-01T10:00:00.000Z')).toBe('counted');
    expect(await count('made')).toBe(1);
    expect(await itemsOf('made')).toEqual(['META', 'STAT#2026-09-01']);
    expect(await table.get('LINK#made', 'META')).not.toHaveProperty('ttl');
  });
});

test('the purge of a link deletes its stored sums', async () => {
  await putOwn('summed');
  const range = 'from=2026-05-01&to=2026-05-31';
  await send('anna', `GET /links/overview?${range}&code=summed`);
  expect(await table.get('SUMS#summed', 'SUMS')).toMatchObject({ clicks: 3 });
  await remove('summed');

  at(purgedAt);
  await runPurge();

  expect(await table.get('SUMS#summed', 'SUMS')).toBeUndefined();
});

test.each([
  ['that was released', { purgedAt }],
  ['of a later link', { purgedAt: '2026-12-01T10:00:00.000Z' }],
])('a new link does not replace a purge %s and is under way', async (_, purging) => {
  const item = { PK: 'LINK#contested', SK: 'META', since: '9999' };
  await table.put({ ...item, purgedAt, ttl: 1 });
  const fault: Fault = {
    before: async () => {
      await table.put({ ...item, ...purging });
      return undefined;
    },
  };
  faults.set('TransactWriteItems', fault);

  expect((await create('contested')).statusCode).toBe(409);
  expect(await table.get('LINK#contested', 'META')).toEqual({ ...item, ...purging });
});

describe('a purge', () => {
  test('that was interrupted anywhere is finished by the next one', async () => {
    await putOwn('halfway');
    await remove('halfway');
    // As after a crash: closed, with a day that is still there.
    const earlier = '2026-08-24T09:00:00.000Z';
    await table.put({ PK: 'LINK#halfway', SK: 'META', purgedAt: earlier, since: '9999' });
    expect((await create('halfway')).statusCode).toBe(409);
    expect(await click('halfway', '2026-05-25')).toBe('ConditionFailedError');
    at(purgedAt);

    await runPurge();

    expect(await itemsOf('halfway')).toEqual(['META']);
    expect(await table.get('DELETED', `${deletedAt}#halfway`)).toBeUndefined();
    expect((await create('halfway')).statusCode).toBe(201);
  });

  test('finishes an interrupted one, even if DynamoDB rejects its tombstone without the item', async () => {
    await putOwn('bare');
    await remove('bare');
    await table.put({ PK: 'LINK#bare', SK: 'META', purgedAt, since: '9999' });
    at(purgedAt);
    const fails = times(1);
    const failed = { Code: 'ConditionalCheckFailed' };
    faults.set('TransactWriteItems', {
      before: (input) =>
        fails() ? cancellation(input, failed, ({ Put }) => Boolean(Put)) : undefined,
    });

    await runPurge();

    expect(await itemsOf('bare')).toEqual(['META']);
    expect((await create('bare')).statusCode).toBe(201);
  });

  test('that comes again leaves a restored link and a new link with its code alone', async () => {
    await putOwn('restored');
    await putOwn('renewed');
    for (const code of ['restored', 'renewed']) {
      await remove(code);
      at(purgedAt);
      if (code === 'restored') await restore(code);
      await runPurge();
      if (code === 'renewed') await create(code);
      await click(code, purgedAt);
      // Deletions that an earlier run couldn't remove.
      await table.put({ PK: 'DELETED', SK: `${deletedAt}#${code}` });

      await runPurge();

      expect(await count(code)).toBe(code === 'restored' ? 4 : 1);
      expect(await itemsOf(code)).toContain('STAT#2026-08-24');
      at(deletedAt);
    }
  });

  test('that another one overtakes leaves the days of a new link with its code alone', async () => {
    await putOwn('overtaken');
    await remove('overtaken');
    at(purgedAt);
    const isFirst = times(1);
    const fault: Fault<QueryInput> = {
      before: async ({ ExpressionAttributeValues: values }) => {
        if (values?.[':pk']?.S !== 'LINK#overtaken' || !isFirst()) return;
        await runPurge();
        await create('overtaken');
        await click('overtaken', purgedAt);
      },
    };
    faults.set('Query', fault);

    await runPurge();

    expect(await count('overtaken')).toBe(1);
    expect(await itemsOf('overtaken')).toEqual(['META', 'STAT#2026-08-24']);
  });

  test.each([
    ['takes down', [true], { disabled: true, disabledBy: 'operator' }],
    ['takes down and enables', [true, false], { ttl: expect.any(Number) }],
  ])('finds the link that an operator %s meanwhile', async (_, changes, end) => {
    const code = `meanwhile-${changes.length}`;
    await putOwn(code);
    await remove(code);
    at(purgedAt);
    const fault: Fault = {
      before: async ({ TransactItems: [write] = [] }) => {
        if (write?.Put?.Item?.PK?.S !== `LINK#${code}`) return;
        const disabled = changes.shift();
        if (disabled !== undefined) await updateAnyLink(operator(), { code, disabled });
      },
    };
    faults.set('TransactWriteItems', fault);

    await runPurge();

    const tombstone = { PK: `LINK#${code}`, SK: 'META', purgedAt, since: '9999' };
    const version = expect.any(Number);
    expect(await table.get(`LINK#${code}`, 'META')).toEqual({ ...tombstone, version, ...end });
    expect(await table.get('DELETED', `${deletedAt}#${code}`)).toBeUndefined();
  });

  test('frees the code that an operator released, and nobody gets it before', async () => {
    await putOwn('released', { disabled: true, disabledBy: 'operator' });
    await remove('released');
    at(purgedAt);
    await runPurge();
    expect(await releaseCode(operator(), 'released')).toBe(true);
    expect((await create('released')).statusCode).toBe(409);
    at('2026-08-25T10:00:00.000Z');

    await runPurge();

    expect((await create('released')).statusCode).toBe(201);
  });

  test('of a link that an operator took down is reported as done', async () => {
    await putOwn('kept-down', { disabled: true, disabledBy: 'operator' });
    await remove('kept-down');
    at(purgedAt);

    await runPurge();

    const purges = output.lines().filter(({ message }) => message === 'links purged');
    expect(purges).toMatchObject([{ codes: ['kept-down'] }]);
  });

  test('that began after an operator looked is not released with the one before', async () => {
    const item = { PK: 'LINK#later-purge', SK: 'META', disabled: true, disabledBy: 'operator' };
    const later = { ...item, purgedAt: '2026-12-01T10:00:00.000Z', since: '9999' };
    await table.put({ ...later, purgedAt });
    const baseClient = new DynamoDBClient(localClientConfig(table.endpoint));
    injectFault(baseClient, {
      before: async () => {
        await table.put(later);
        return undefined;
      },
    });

    const release = releaseCode({ ...operator(), baseClient }, 'later-purge');

    expect(await release).toBe(false);
    expect(await table.get('LINK#later-purge', 'META')).toEqual(later);
  });

  test('goes on after a link that fails, and says so', async () => {
    for (const code of ['broken', 'fine']) {
      await putOwn(code);
      await remove(code);
    }
    at(purgedAt);
    const fault: Fault = {
      before: ({ TransactItems = [] }) => {
        const isBroken = TransactItems.some(({ Put }) => Put?.Item?.PK?.S === 'LINK#broken');
        return isBroken ? serviceError('ValidationException', 400) : undefined;
      },
    };
    faults.set('TransactWriteItems', fault);

    await expect(runPurge()).rejects.toThrow('every link that is due; 1 failed');
    expect(await itemsOf('fine')).toEqual(['META']);
    expect(await count('broken')).toBe(3);
    faults.clear();
    await runPurge();
    expect(await itemsOf('broken')).toEqual(['META']);
  });
});
