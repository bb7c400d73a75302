import { expect, test } from 'vitest';
import { link } from '../../helpers/items.ts';
import { useModule, useTable } from '../../helpers/test-table.ts';

const table = useTable({}, ['ResolveLink']);
const links = useModule(() => import('../../../lib/links/find-link.ts'));
const url = 'https://example.com/?q=ü€😀';

test('a visitor finds a link, and learns that another is disabled, expired or unknown', async () => {
  await table.put(
    { ...link('spring'), url, forwardQuery: true },
    { ...link('summer'), disabled: true },
    { ...link('autumn'), expiresAt: '2026-01-02T00:00:00.000Z' },
  );
  const find = (code: string) =>
    links.findLink(code).catch(({ statusCode }: { statusCode?: number }) => statusCode);

  expect(await find('SPRING')).toEqual({ code: 'spring', url, forwardsQuery: true });
  expect(await Promise.all(['summer', 'autumn', 'winter'].map(find))).toEqual([410, 410, 404]);
});
