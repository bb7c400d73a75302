import type { Order } from '../side.ts';

class InvalidOrderError extends Error {
  override name = 'InvalidOrderError';
}

/** Refuses an order of nothing. */
export const check = ({ quantity }: Order) => {
  if (quantity <= 0) throw new InvalidOrderError(`expected a quantity above 0; got ${quantity}`);
};
