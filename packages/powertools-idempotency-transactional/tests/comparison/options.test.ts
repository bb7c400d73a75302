import { expect, test } from 'vitest';
import { createPeerProgram, type PeerOptions } from '../../comparison/options.ts';

function parse(...args: string[]): PeerOptions | undefined {
  let options: PeerOptions | undefined;
  const program = createPeerProgram((parsed) => {
    options = parsed;
  }).configureOutput({ writeErr: () => {} });
  program.parse(args, { from: 'user' });
  return options;
}

test('names one engine, a file, and whether to write the page', () => {
  const options = parse('--engine', 'dynoxide', '--json', 'out.json', '--write');

  expect(options).toEqual({ engine: 'dynoxide', json: 'out.json', write: true });
});

test('runs on every engine and writes nothing by default', () => {
  expect(parse()).toEqual({});
});

test('refuses an unknown engine and names the known ones', () => {
  expect(() => parse('--engine', 'sqlite')).toThrow(/dynoxide, dynamodb-local/);
});
