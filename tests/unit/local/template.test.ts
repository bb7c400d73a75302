// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is CloudFormation's own syntax.
import { expect, test } from 'vitest';
import {
  getProperties,
  resolveIntrinsics,
  resolveString,
} from '../../../local/engines/template.ts';

const resources = {
  ClickQueue: { ref: 'http://queue', attributes: { Arn: 'arn:queue' } },
  'AWS::Region': { ref: 'us-east-1' },
};

test.each([
  ['a plain value', 5, 5],
  ['Ref', { Ref: 'ClickQueue' }, 'http://queue'],
  ['Fn::GetAtt', { 'Fn::GetAtt': ['ClickQueue', 'Arn'] }, 'arn:queue'],
  ['Fn::GetAtt, short', { 'Fn::GetAtt': 'ClickQueue.Arn' }, 'arn:queue'],
  [
    'Fn::Select and Fn::Split',
    { 'Fn::Select': [1, { 'Fn::Split': [':', { 'Fn::GetAtt': 'ClickQueue.Arn' }] }] },
    'queue',
  ],
  ['Fn::Join', { 'Fn::Join': ['/', ['a', { Ref: 'ClickQueue' }]] }, 'a/http://queue'],
  [
    'Fn::Sub',
    { 'Fn::Sub': '${AWS::Region} ${ClickQueue} ${ClickQueue.Arn} ${!Literal}' },
    'us-east-1 http://queue arn:queue ${Literal}',
  ],
  [
    'a nested function',
    { list: [{ key: { Ref: 'ClickQueue' } }] },
    { list: [{ key: 'http://queue' }] },
  ],
])('%s is resolved', (_, value, expected) => {
  expect(resolveIntrinsics(value, resources)).toEqual(expected);
});

test.each([
  [
    'an unknown resource',
    { Ref: 'Nobody' },
    'does not know Nobody; it has ClickQueue, AWS::Region',
  ],
  ['an unknown attribute', { 'Fn::GetAtt': ['ClickQueue', 'Url'] }, 'does not know ClickQueue.Url'],
  ['an unknown function', { 'Fn::If': ['a', 'b', 'c'] }, 'cannot resolve Fn::If: ["a","b","c"]'],
  [
    'Fn::Sub with variables',
    { 'Fn::Sub': ['${a}', { a: 'b' }] },
    'cannot resolve Fn::Sub with a map',
  ],
  ['Fn::Join without a list', { 'Fn::Join': 'a' }, 'Expected a list; got "a"'],
])('%s is rejected by name', (_, value, message) => {
  expect(() => resolveIntrinsics(value, resources)).toThrow(message);
});

test('a value that does not resolve to a string is rejected', () => {
  expect(() => resolveString({ list: [] }, resources)).toThrow(
    'Expected {"list":[]} to be a string',
  );
});

test('a resource is found only by its type and its name', () => {
  const queue = { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 30 } };
  const template = { Resources: { ClickQueue: queue } };

  expect(getProperties(template, 'AWS::SQS::Queue', 'ClickQueue').VisibilityTimeout).toBe(30);
  expect(() => getProperties(template, 'AWS::Events::EventBus', 'ClickQueue')).toThrow(
    'no AWS::Events::EventBus named ClickQueue',
  );
});
