import { InvalidArgumentError } from 'commander';

/** @throws {InvalidArgumentError} unless the string is a whole number above 0. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('Expected a whole number above 0.');
}

const highestPort = 65_535;

/** @throws {InvalidArgumentError} unless the string is a TCP port. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= highestPort) return port;
  throw new InvalidArgumentError(`Expected a number from 1 to ${highestPort}.`);
}

/** @throws {InvalidArgumentError} unless the string is a finite number above 0. */
export function parseAmount(text: string): number {
  const amount = Number(text);
  if (amount > 0 && Number.isFinite(amount)) return amount;
  throw new InvalidArgumentError('Expected a number above 0.');
}
