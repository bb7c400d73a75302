import { expect, test } from 'vitest';
import { isItsOwn } from '../../../cli/dlq/move.ts';
import { chooseFirstSent } from '../../../lib/clicks/records.ts';
const sentMs = Date.parse('2026-05-26T10:00:00Z');
test('the first arrival is the one that is noted, or the last one if that is invalid', () => {
    const valid = ['1779700000000', '0', `${sentMs}`];
    const later = `${sentMs + 1}`;
    const invalid = [undefined, 'abc', '', ' ', '-1', '1.5', '0x10', later, '9'.repeat(400)];
    for (const text of valid)
        expect(chooseFirstSent(text, sentMs)).toBe(Number(text));
    for (const text of invalid)
        expect(chooseFirstSent(text, sentMs), text).toBe(sentMs);
});
test('errors are of one message unless they concern the queue, its key or the credentials', () => {
    const own = [
        ...['InvalidMessageContents', 'InvalidParameterValue', 'UnsupportedOperation', 'KmsThrottled'],
        ...['RequestThrottled', 'SomethingNew'],
    ];
    const ofAll = ['AccessDenied', 'QueueDoesNotExist', 'KmsAccessDenied', 'ExpiredToken'];
    const found = [...own, ...ofAll].filter((name) => isItsOwn(Object.assign(new Error(), { name })));
    expect(found).toEqual(own);
});
