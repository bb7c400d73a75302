import { expect, test } from 'vitest';
import { compileFilter } from '../../../local/stack/event-filter.ts';

const links =
  '{"eventName":["INSERT","MODIFY"],"dynamodb":{"Keys":{"PK":{"S":[{"prefix":"LINK#"}]}}}}';

function change(eventName: string, key: object): object {
  return { eventName, dynamodb: { Keys: { PK: key } } };
}

test.each([
  ['one of the exact values, and the prefix', change('MODIFY', { S: 'LINK#docs' }), true],
  ['the prefix alone', change('INSERT', { S: 'LINK#' }), true],
  ['another exact value', change('REMOVE', { S: 'LINK#docs' }), false],
  ['another prefix', change('MODIFY', { S: 'CLICK#LINK#' }), false],
  ['an attribute of another type', change('MODIFY', { N: '1' }), false],
  ['a number where the prefix is', change('MODIFY', { S: 1 }), false],
  ['nothing where an object is', { eventName: 'MODIFY' }, false],
  ['text where an object is', { eventName: 'MODIFY', dynamodb: 'LINK#' }, false],
])('an event with %s', (_, event, matches) => {
  expect(compileFilter([links])(event)).toBe(matches);
});

test.each([
  ['true', { isNew: true }, true],
  ['a number', { size: 5 }, true],
  ['null', { error: null }, true],
  ['a number as text', { size: '5' }, false],
  ['a field that is missing', {}, false],
])('exact values: %s', (_, event, matches) => {
  const filter = compileFilter(['{"isNew":[true]}', '{"size":[5]}', '{"error":[null]}']);

  expect(filter(event)).toBe(matches);
});

test.each([
  ['another operator', '{"size":[{"numeric":[">",5]}]}', '{"numeric":[">",5]}'],
  ['two operators in one', '{"a":[{"prefix":"b","suffix":"c"}]}', '{"prefix":"b","suffix":"c"}'],
  ["a prefix that isn't a string", '{"a":[{"prefix":{"equals-ignore-case":"b"}}]}', '{"prefix":{'],
  ['$or', '{"$or":[{"a":["b"]}]}', '{"a":["b"]}'],
  ["a value that isn't in a list", '{"a":"b"}', '"b"'],
])('%s is rejected at the start', (_, pattern, part) => {
  expect(() => compileFilter([links, pattern])).toThrow(`The local stack cannot filter by ${part}`);
});
