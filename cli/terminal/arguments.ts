import { InvalidArgumentError } from 'commander';

/** Takes a whole number from 1 to `max`. All parsers here throw InvalidArgumentError for any other text. */
export const wholeNumber =
  (max: number) =>
  (text: string): number => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= 1 && number <= max) return number;
    throw new InvalidArgumentError(`Expected a number from 1 to ${max}.`);
  };

/** Takes a TCP port. */
export const parsePort = wholeNumber(65_535);

/** Takes a finite number above 0. */
export function parseAmount(text: string): number {
  const amount = Number(text);
  if (amount > 0 && Number.isFinite(amount)) return amount;
  throw new InvalidArgumentError('Expected a number above 0.');
}
