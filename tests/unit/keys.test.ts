import { expect, test } from 'vitest';
import {
  apiKeyItemKey,
  clickMarkerKey,
  clickSheetKey,
  connectionKey,
  dayKey,
  linkKey,
  ownerDayKey,
  userApiKeysKey,
  userConnectionsKey,
  userRequestsKey,
  watchKey,
} from '../../lib/keys.ts';

// Items are stored under these keys, so they must never change.
test.each([
  ['a link', () => linkKey('code'), 'LINK#code', 'META'],
  ["a link's day", () => dayKey('code', '2026-05-26'), 'LINK#code', 'STAT#2026-05-26'],
  ["an owner's day", () => ownerDayKey('ann', '2026-05-26'), 'OWNER#ann', 'LINKS#2026-05-26'],
  ["a user's connections", () => userConnectionsKey('ann'), 'CONNECTIONS#ann', 'CONNECTIONS'],
  ["a user's requests", () => userRequestsKey('ann', 29_662_560), 'REQUESTS#ann', '29662560'],
  ['an API key', () => apiKeyItemKey('4fZ0kQ7bXa'), 'KEY#4fZ0kQ7bXa', 'KEY'],
  ["a user's API keys", () => userApiKeysKey('ann'), 'KEYS#ann', 'KEYS'],
  ['a connection', () => connectionKey('c1'), 'CONNECTION#c1', 'CONNECTION'],
  ['a watch', () => watchKey('code', 'c1'), 'WATCH#code', 'CONNECTION#c1'],
  ['a page of markers', () => clickSheetKey('p1'), 'CLICKS#p1', 'CLICK'],
  ['a marker', () => clickMarkerKey('CLICK#id'), 'CLICK#id', 'CLICK'],
])('the key of %s', (_, key, PK, SK) => {
  expect(key()).toEqual({ PK, SK });
});
