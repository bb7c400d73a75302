import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { purgeLinks } from '../../../lib/links/storage/link-deletion.ts';
import { updateAnyLink } from '../../../lib/links/storage/link-update.ts';
import { type LinkChange, readLinkChange } from '../../../lib/standby/link-change.ts';
import { replicateLinks } from '../../../lib/standby/replicate-links.ts';
import { useApi } from '../../helpers/api.ts';
import { link } from '../../helpers/items.ts';
import { startTable, type TestTable } from '../../helpers/test-table.ts';

const { table, operator, send, output } = useApi([]);
const standby = {} as TestTable;
const url = 'https://example.com/';
const newUrl = 'https://new.example.com/';
const day = 24 * 60 * 60 * 1_000;

beforeAll(async () => {
  Object.assign(standby, await startTable());
  return standby.stop;
});
beforeEach(async () => {
  await table.empty();
  await standby.empty();
  vi.useFakeTimers({ toFake: ['Date'] });
  return () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  };
});

const access = ({ database, tableName }: TestTable) => ({ client: database, tableName });
const replicate = (...changes: LinkChange[]) =>
  replicateLinks({ home: access(table), standby: access(standby) }, changes);
/** The change that the table's stream shows now. */
const changeOf = async (code: string): Promise<LinkChange> => {
  const item = await table.get(`CHANGE#${code}`, 'CHANGE');
  const stored = await table.get(`LINK#${code}`, 'META');
  expect(item?.version).toBe(stored?.version);
  return { code, version: item?.version };
};
const inStandby = (code: string) => standby.get(`LINK#${code}`, 'META');
const create = (body: object) => send('anna', 'POST /links', { body });
const remove = (code: string) => send('anna', `DELETE /links/${code}`);
const takeDown = (code: string) => updateAnyLink(operator(), { code, disabled: true });

test('the standby gets what visitors need of a link, and nothing about its owner', async () => {
  await create({ url, code: 'spring', title: 'Sale', note: 'private', forwardQuery: true });
  const { version } = await changeOf('spring');

  expect(await replicate({ code: 'spring', version })).toEqual(new Map());

  const key = { PK: 'LINK#spring', SK: 'META' };
  expect(await inStandby('spring')).toEqual({ ...key, url, forwardQuery: true, version });
});

test.each([
  ['an edit', { url: newUrl }],
  ['an expiry date', { expiresAt: '2035-01-01T00:00:00.000Z' }],
  ['a disabled link', { disabled: true }],
])('%s reaches the standby, and clicks do not change the version', async (_, body) => {
  await create({ url, code: 'spring' });
  await replicate(await changeOf('spring'));
  const { version } = await changeOf('spring');
  await table.countClick('spring', new Date().toISOString());

  await send('anna', 'PATCH /links/spring', { body });

  const change = await changeOf('spring');
  expect(change.version).toBe(version + 1);
  await replicate(change);
  expect(await inStandby('spring')).toMatchObject({ ...body, version: version + 1 });
});

test('late and repeated changes leave a link that was taken down as it is', async () => {
  await create({ url, code: 'spring' });
  const created = await changeOf('spring');
  await takeDown('spring');
  const takenDown = await changeOf('spring');
  await replicate(takenDown);

  await replicate(created);
  await replicate(takenDown, created, takenDown);

  expect(await inStandby('spring')).toMatchObject({
    version: takenDown.version,
    disabled: true,
  });
});

test('a writer that has read an older state does not undo a newer one', async () => {
  await create({ url, code: 'spring' });
  const { client } = access(standby);
  const created = await changeOf('spring');
  // Meanwhile, another invocation brings the deletion.
  vi.spyOn(client, 'send').mockImplementationOnce(
    async (...request: Parameters<typeof client.send>) => {
      await remove('spring');
      await replicate(await changeOf('spring'));
      return client.send(...request) as never;
    },
  );

  expect(await replicate(created)).toEqual(new Map());

  expect(await inStandby('spring')).toHaveProperty('deletedAt');
});

test("a change whose transaction isn't readable yet fails, and comes again", async () => {
  await table.put({ ...link('spring'), version: 7 });

  const failures = await replicate({ code: 'spring', version: 8 });

  expect([...failures.keys()]).toEqual(['spring']);
  expect(await inStandby('spring')).toBeUndefined();
});

test('a write without proof fails, and comes again', async () => {
  await create({ url, code: 'spring' });
  const created = await changeOf('spring');
  vi.spyOn(access(standby).client, 'send').mockImplementationOnce(async () => ({}));

  const replicated = await replicate(created);

  expect([...replicated.keys()]).toEqual(['spring']);
  expect(await replicate(created)).toEqual(new Map());
  expect(await inStandby('spring')).toMatchObject({ url });
});

test('links that no longer redirect come first in a batch', async () => {
  for (const code of ['a', 'b', 'c']) await create({ url, code });
  await takeDown('b');
  await remove('c');
  const changes = await Promise.all(['a', 'b', 'c'].map(changeOf));
  const sent = vi.spyOn(access(standby).client, 'send');

  await replicate(...changes);

  const written = sent.mock.calls.map(([command]) => Object(command).input.Item.PK);
  expect(written).toEqual(['LINK#b', 'LINK#c', 'LINK#a']);
});

test("a new link that isn't readable yet comes again, and doesn't hold up the others", async () => {
  await create({ url, code: 'good' });
  const failures = await replicate({ code: 'later', version: 1 }, await changeOf('good'));

  expect([...failures.keys()]).toEqual(['later']);
  expect(await inStandby('good')).toMatchObject({ url });
});

test('a purged link is gone from the standby, and its code leads to the new link', async () => {
  vi.setSystemTime('2026-01-01T10:00:00Z');
  await create({ url, code: 'spring' });
  const created = await changeOf('spring');
  await replicate(created);
  await remove('spring');
  await replicate(await changeOf('spring'));

  vi.setSystemTime(Date.now() + 91 * day);
  await purgeLinks(operator(), { nowMs: Date.now(), deadlineMs: Date.now() + day });
  const purged = await changeOf('spring');
  await replicate(purged);

  const { version } = purged;
  const ttl = expect.any(Number);
  expect(await inStandby('spring')).toEqual({ PK: 'LINK#spring', SK: 'META', version, ttl });

  await create({ url: newUrl, code: 'spring' });
  await replicate(await changeOf('spring'));
  await replicate(created, purged);
  expect(await inStandby('spring')).toMatchObject({ url: newUrl });
  expect(await inStandby('spring')).not.toHaveProperty('ttl');
});

test('a restored link redirects again', async () => {
  await create({ url, code: 'spring' });
  await remove('spring');
  await replicate(await changeOf('spring'));

  await send('anna', 'POST /links/spring/restore');
  await replicate(await changeOf('spring'));

  expect(await inStandby('spring')).not.toHaveProperty('deletedAt');
});

test('an imported link reaches the standby', async () => {
  const links = [{ key: 'row-1', url, code: 'moved' }];
  await send('anna', 'POST /links/import', { body: { links } });

  await replicate(await changeOf('moved'));

  expect(await inStandby('moved')).toMatchObject({ url });
});

test('an invalid record is logged and skipped, because it would hold up the changes behind it', () => {
  const record = { dynamodb: { NewImage: { PK: { S: 'CHANGE#a b' }, version: { N: '1' } } } };

  expect(readLinkChange(record)).toBeUndefined();
  expect(output.logged()).toMatchObject([{ message: 'record not read' }]);
});
