import { InvalidArgumentError } from 'commander';

/** @throws {InvalidArgumentError} unless the string is a whole number above 0. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('Expected a whole number above 0.');
}

/** @throws {InvalidArgumentError} unless the string is a finite number above 0. */
export function parseAmount(text: string): number {
  const amount = Number(text);
  if (amount > 0 && Number.isFinite(amount)) return amount;
  throw new InvalidArgumentError('Expected a number above 0.');
}
