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
];
