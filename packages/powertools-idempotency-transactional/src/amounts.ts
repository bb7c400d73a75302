import Big from 'big.js';

/** A constructor of our own, because others may change the settings of theirs. */
const decimal = Big();

/** Whether DynamoDB can store a number: up to 38 digits, from 1e-130 to below 1e126. */
export function isAmount(by: unknown): by is number | bigint {
  if (Number.isSafeInteger(by)) return true;
  if (typeof by !== 'bigint' && !Number.isFinite(by)) return false;
  const { c: digits, e: exponent } = new decimal(String(by));
  return digits.length <= 38 && exponent >= -130 && exponent <= 125;
}

/** Adds as DynamoDB does, in decimal digits, so that it doesn't matter who adds. */
export function addAmount(sum: number | Big, by: number | bigint): number | Big {
  const total = Number(sum) + Number(by);
  const isExact = [sum, by, total].every(Number.isSafeInteger);
  return isExact ? total : new decimal(sum).plus(String(by));
}

/** A number's one way to be written. */
export function printAmount(number: string): string {
  return new decimal(number).toFixed();
}
