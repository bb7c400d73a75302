import type { Case } from './cases.ts';

/** What DynamoDB does with connections and their watches. */
export const liveCases: Case[] = [
  {
    name: 'a query gives all items whose sort keys begin so, ascending, a page at a time',
    act: async ({ putLink, store, linkKey, prefix, queryPages }) => {
      await putLink();
      for (const id of ['c', 'a', 'e', 'b', 'd'])
        await store({ PK: linkKey.PK, SK: `WATCH#${id}` });
      await store({ PK: `${prefix}#other`, SK: 'WATCH#f' });
      return queryPages('WATCH#');
    },
    expected: [['WATCH#a', 'WATCH#b'], ['WATCH#c', 'WATCH#d'], ['WATCH#e']],
  },
  {
    name: 'a deleted item is returned once, with its set',
    act: async ({ store, linkKey, read, remove }) => {
      const codes = new Set(['docs', 'spring']);
      await store({ ...linkKey, codes });
      const removed = [await remove(linkKey), await remove(linkKey)];
      return [removed.map((item) => item?.codes), await read(linkKey)];
    },
    expected: [[new Set(['docs', 'spring']), undefined], undefined],
  },
  {
    name: 'an element leaves a set that has it; the last one takes the set along',
    act: async ({ store, linkKey, read, leaveSet }) => {
      await store({ ...linkKey, ids: new Set(['a', 'b']) });
      const left = [await leaveSet('a'), await leaveSet('a')];
      const remaining = (await read(linkKey))?.ids;
      const last = await leaveSet('b');
      return [...left, remaining, last, Object.keys((await read(linkKey)) ?? {}).toSorted()];
    },
    expected: ['left', 'refused', new Set(['b']), 'left', ['PK', 'SK']],
  },
  {
    name: 'an element leaves no set where there is no item, and creates none',
    act: async ({ linkKey, read, leaveSet }) => [await leaveSet('a'), await read(linkKey)],
    expected: ['refused', undefined],
  },
];
