import { expect, test } from 'vitest';
import { createGate } from '../../../local/stack/gate.ts';

/** Lets whoever may go on do so. */
const settle = () => new Promise(setImmediate);

test('as many as there is room for go in, the others in turn as room is made', async () => {
  const gate = createGate(2);
  const entered: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) gate.enter().then(() => entered.push(name));

  await settle();
  expect(entered).toEqual(['a', 'b']);

  gate.leave();
  await settle();
  expect(entered).toEqual(['a', 'b', 'c']);

  gate.leave();
  await settle();
  expect(entered).toEqual(['a', 'b', 'c', 'd']);
});

test('room that nobody waited for is there for the next', async () => {
  const gate = createGate(1);
  await gate.enter();
  gate.leave();

  await gate.enter();

  let entered = false;
  gate.enter().then(() => {
    entered = true;
  });
  await settle();
  expect(entered).toBe(false);
});
