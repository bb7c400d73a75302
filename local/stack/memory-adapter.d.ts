declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  import type { AdapterFactory } from 'oidc-provider';

  /** Keeps a provider's sessions and grants in memory. As the default, it would print a warning. */
  export function createMemoryAdapter(): AdapterFactory;
}
