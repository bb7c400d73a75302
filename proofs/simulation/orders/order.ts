/** An order as its customer intended it. */
export interface Order {
  id: string;
  customer: string;
  cents: number;
  voucher?: string;
}

export function isSameOrder(a: Order, b: Order): boolean {
  return (
    a.id === b.id && a.customer === b.customer && a.cents === b.cents && a.voucher === b.voucher
  );
}
