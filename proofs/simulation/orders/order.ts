/** An order as its customer meant it. */
export interface Order {
  id: string;
  customer: string;
  cents: number;
  voucher?: string;
}

/** A kind of violation, a sentence, and the ids that it is about. */
export type Report = (kind: string, text: string, about: string[]) => void;

export function isSameOrder(a: Order, b: Order): boolean {
  return (
    a.id === b.id && a.customer === b.customer && a.cents === b.cents && a.voucher === b.voucher
  );
}
