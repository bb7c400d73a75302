import type { Case } from './cases.ts';

/** DynamoDB's behaviour for connections and watches. */
export const liveCases: Case[] = [
  {
    name: 'a query by the beginning of the sort key returns all items, in ascending order, by pages',
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
    name: 'deleting an item returns it once, with its set',
    act: async ({ store, linkKey, read, remove }) => {
      const codes = new Set(['docs', 'spring']);
      await store({ ...linkKey, codes });
      const removed = [await remove(linkKey), await remove(linkKey)];
      return [removed.map((item) => item?.codes), await read(linkKey)];
    },
    expected: [[new Set(['docs', 'spring']), undefined], undefined],
  },
  {
    name: 'an element is removed from its set, and the last one removes the set',
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
    name: 'removing an element from a missing item fails and does not create the item',
    act: async ({ linkKey, read, leaveSet }) => [await leaveSet('a'), await read(linkKey)],
    expected: ['refused', undefined],
  },
];
