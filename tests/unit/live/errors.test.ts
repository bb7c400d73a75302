import { expect, test } from 'vitest';
import { RecordError } from '../../../lib/live/changes.ts';
import { ClientMessageError } from '../../../lib/live/client-messages.ts';

test.each([
  [() => new RecordError('no day'), 'RecordError: no day'],
  [() => new ClientMessageError('no link'), 'ClientMessageError: no link'],
])('an error tells its name and its reason: %#', (make, text) => {
  expect(String(make())).toBe(text);
});
