import { expect, test } from 'vitest';
import { ClientMessageError, parseClientMessage } from '../../../lib/live/client-messages.ts';
const codes = (count) => Array.from({ length: count }, (_, index) => `code-${index}`);
const watching = (count) => JSON.stringify({ action: 'watch', codes: codes(count) });
const padded = (bytes) => `{"action":"ping"}${' '.repeat(bytes - 17)}`;
test.each([
    [padded(4096), { action: 'ping' }],
    ['{"action":"watch","codes":["docs","docs"]}', { action: 'watch', codes: ['docs'] }],
    ['{"action":"unwatch","codes":["docs","blog"]}', { action: 'unwatch', codes: ['docs', 'blog'] }],
    [watching(25), { action: 'watch', codes: codes(25) }],
])('a message of the live page is understood: %s', (text, message) => {
    expect(parseClientMessage(text)).toEqual(message);
});
const object = 'the message to be a JSON object such as {"action":"ping"}; got';
const action = '"action" to be "watch", "unwatch" or "ping"; got';
const list = '"codes" to be a list of 1 to 25 codes; got';
const code = '"codes.0" to be 1 to 64 letters, digits, "-", "_" or dots between them; got';
test.each([
    ['', 'the message to be JSON; got ""'],
    ['null', `${object} null`],
    ['["ping"]', `${object} ["ping"]`],
    ['{"action":"delete"}', `${action} "delete"`],
    ['{"action":"watch","codes":[]}', `${list} []`],
    [watching(26), `${list} ${JSON.stringify(codes(26)).slice(0, 80)}… (251)`],
    ['{"action":"unwatch","codes":["a b"]}', `${code} "a b"`],
    [padded(4097), 'the message to have at most 4096 bytes; got 4097'],
    [`"${'é'.repeat(2048)}"`, 'the message to have at most 4096 bytes; got 4098'],
])('a message is rejected with the reason: %s', (text, reason) => {
    expect(() => parseClientMessage(text)).toThrow(new ClientMessageError(`expected ${reason}`));
});
