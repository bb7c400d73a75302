// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source text.
import { bug, type PlantedBug } from './function-code.ts';

const placedId = 'lib/clicks/placed-id.ts';
const page = 'packages/powertools-idempotency-transactional/src/page.ts';
const transaction = 'packages/powertools-idempotency-transactional/src/transaction.ts';
const cancellation = 'packages/powertools-idempotency-transactional/src/cancellation.ts';
const allSlots = "${areFree.join(' AND ')}";
const ttlMoves = ' AND (attribute_not_exists(#ttl) OR #ttl <= :ttl)';
const duplicate = (entry: string) => `{ kind: 'duplicate', payloadHash: ${entry}.payloadHash }`;

/** Mistakes with places of click ids and with pages of markers. */
export const pageBugs: PlantedBug[] = [
  bug(
    'all pages have one seed',
    'lib/clicks/click-id.ts',
    'openPage(mint())',
    "openPage('the-one-seed-of-them-all')",
  ),
  bug(
    'each click has a page of its own',
    'lib/clicks/click-id.ts',
    'if (!current || current.filled === slotsPerPage) {',
    'if (!current || current.filled === 1) {',
  ),
  bug('all pages have one key', 'lib/keys.ts', '${clickPagePrefix}#${page}', '${clickPagePrefix}#'),
  bug("a numbered page's key lacks the number", placedId, '${producer}#${number}', '${producer}#0'),
  bug(
    'an id with leading zeros has a place',
    placedId,
    String.raw`'(0|[1-9]\\d{0,2})'`,
    String.raw`'(\\d{1,3})'`,
  ),
  bug(
    'an id with any seal has a place',
    placedId,
    'return isSealed(page, place.slot, seal) ? place : undefined;',
    'return seal && isSealed ? place : undefined;',
  ),
  {
    name: 'a slot beyond its page is one at the front',
    edits: [
      { file: placedId, find: ' || Number(slot) >= slotsPerPage', replace: '' },
      {
        file: placedId,
        find: 'slot: Number(slot) }',
        replace: 'slot: Number(slot) % slotsPerPage }',
      },
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
    'packages/powertools-idempotency-transactional/src/build-entry.ts',
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
        file: 'packages/powertools-idempotency-transactional/src/send.ts',
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
    'packages/powertools-idempotency-transactional/src/send.ts',
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
