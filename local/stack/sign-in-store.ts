import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterPayload } from 'oidc-provider';

const maxEntries = 10_000;

/**
 * Creates oidc-provider adapters that keep an issuer's sessions and grants in memory. Restarting
 * the stack signs everyone out.
 */
export function createSignInStore(): (model: string) => Adapter {
  const entries = new LRUCache<string, AdapterPayload>({ max: maxEntries });
  return (model) => createAdapter(model, entries);
}

function createAdapter(model: string, entries: LRUCache<string, AdapterPayload>): Adapter {
  const keyOf = (id: string) => `${model}:${id}`;
  const findAll = (matches: (payload: AdapterPayload) => boolean) =>
    [...entries.entries()].filter(
      ([key, payload]) => key.startsWith(keyOf('')) && matches(payload),
    );
  return {
    upsert: async (id, payload, expiresIn) => {
      const ttl = expiresIn ? expiresIn * 1000 : 0;
      entries.set(keyOf(id), payload, { ttl });
    },
    find: async (id) => entries.get(keyOf(id)),
    findByUid: async (uid) => findAll((payload) => payload.uid === uid)[0]?.[1],
    // Only devices without a browser have user codes.
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const payload = entries.get(keyOf(id));
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => void entries.delete(keyOf(id)),
    revokeByGrantId: async (grantId) => {
      for (const [key] of findAll((payload) => payload.grantId === grantId)) entries.delete(key);
    },
  };
}
