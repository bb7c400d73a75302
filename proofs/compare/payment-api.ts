import { startHttpServer } from '../../cli/loopback/http-server.ts';

export type PaymentApi = Awaited<ReturnType<typeof startPaymentApi>>;

/** Starts a payment API that charges every request without a known Idempotency-Key. */
export async function startPaymentApi() {
  const charges = new Map<string, number>();
  const keys = new Set<string>();
  const server = await startHttpServer(async ({ headers, body }) => {
    const { clickId } = JSON.parse(body);
    const key = headers['idempotency-key'];
    if (typeof key === 'string' && keys.has(key)) return { status: 200, body: { clickId } };
    if (typeof key === 'string') keys.add(key);
    charges.set(clickId, (charges.get(clickId) ?? 0) + 1);
    return { status: 201, body: { clickId } };
  });
  const reset = () => {
    charges.clear();
    keys.clear();
  };
  return {
    ...server,
    /** The number of charges for each click since the last reset. */
    charges: () => charges,
    reset,
  };
}
