// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source text.
import { bug, type PlantedBug } from './function-code.ts';

const keys = 'lib/keys.ts';
const page = 'lib/idempotency/page.ts';
const transaction = 'lib/idempotency/transaction.ts';
const cancellation = 'lib/idempotency/cancellation.ts';
const pageKey = 'PK: `${clickPagePrefix}#${producer}#${page}`';
const allSlots = "${areFree.join(' AND ')}";
const ttlMoves = ' AND (attribute_not_exists(#ttl) OR #ttl <= :ttl)';
const duplicate = (entry: string) => `{ kind: 'duplicate', payloadHash: ${entry}.payloadHash }`;

/** Mistakes with places of click ids and with pages of markers. */
export const pageBugs: PlantedBug[] = [
  bug(
    'a restarted producer hands out the same places again',
    'lib/clicks/click-id.ts',
    'producer ??= mint();',
    "producer ??= '01900000-0000-7000-8000-000000000000';",
  ),
  bug(
    'each click has a producer of its own',
    'lib/clicks/click-id.ts',
    'producer ??= mint();',
    'producer = mint();',
  ),
  bug("a page's key lacks the producer", keys, pageKey, 'PK: `${clickPagePrefix}#${page}`'),
  bug("a page's key lacks the number", keys, pageKey, 'PK: `${clickPagePrefix}#${producer}#0`'),
  bug(
    'an id with leading zeros has a place',
    keys,
    String.raw`\\.(0|[1-9]\\d{0,8})\\.(0|[1-9]\\d{0,2})$`,
    String.raw`\\.(\\d{1,9})\\.(\\d{1,3})$`,
  ),
  {
    name: 'a slot beyond its page is one at the front',
    edits: [
      { file: keys, find: ' || Number(slot) >= slotsPerPage', replace: '' },
      { file: keys, find: 'slot: Number(slot) }', replace: 'slot: Number(slot) % slotsPerPage }' },
    ],
  },
  bug('two slots have one attribute', page, '${letter}${slot % 10}', '${letter}${slot % 8}'),
  bug(
    "another click's slot is taken for a duplicate",
    page,
    'return Buffer.compare(a, b) === 0;',
    'return a !== b;',
  ),
  bug("a slot's condition is dropped", transaction, `${allSlots} AND (`, '('),
  bug('only the first slot of a page must be free', transaction, allSlots, '${areFree[0]}'),
  bug("a page's ttl moves back", transaction, `${allSlots}${ttlMoves}`, allSlots),
  bug(
    "a page's ttl is rounded down",
    'lib/idempotency/build-entry.ts',
    'Math.ceil(expiryTimestamp / pageExpiryStepSeconds)',
    'Math.floor(expiryTimestamp / pageExpiryStepSeconds)',
  ),
  bug(
    'a page takes only the last slot of a transaction',
    transaction,
    'const page = pages.get(marker.pageId);',
    'const page = undefined;',
  ),
  bug('a duplicate fails its page', cancellation, 'if (isExplained) return;', ''),
  bug(
    'a refused page is taken for duplicates only',
    cancellation,
    'let isExplained = false;',
    `for (const entry of entries) settle(cancellation, entry, ${duplicate('entry')});
  let isExplained = true;`,
  ),
  bug(
    'a refused page is taken for one duplicate, the first',
    cancellation,
    'let isExplained = false;',
    `settle(cancellation, entries[0], ${duplicate('entries[0]')});
  let isExplained = true;`,
  ),
  {
    name: 'what was in the way is not read, and taken for a duplicate',
    edits: [
      {
        file: 'lib/idempotency/send.ts',
        find: 'if (!reason.Item) refusals.push({ key: action.itemKey, reason });',
        replace: '',
      },
      {
        file: cancellation,
        find: 'if (isMarker(action) && !Item) for (const entry of action.entries) unjudged.add(entry);',
        replace: `if (isMarker(action) && !Item) {
        for (const entry of action.entries) settle(cancellation, entry, ${duplicate('entry')});
      }`,
      },
    ],
  },
  bug(
    'an answer without proof is taken for a commit',
    'lib/idempotency/send.ts',
    'if (!isProof(ConsumedCapacity)) {',
    'if (isProof === undefined) {',
  ),
  bug(
    'the resolver may miss a link that is new',
    'lib/links/links.ts',
    'ConsistentRead: true',
    'ConsistentRead: false',
  ),
  {
    name: 'the resolver remembers that there is no such link',
    edits: [
      {
        file: 'lib/links/read-url.ts',
        find: 'if (known !== undefined) return known;',
        replace: 'if (known !== undefined) return known || undefined;',
      },
      {
        file: 'lib/links/read-url.ts',
        find: 'if (link) urls.set(code, link.url);',
        replace: "urls.set(code, link?.url ?? '');",
      },
    ],
  },
];
