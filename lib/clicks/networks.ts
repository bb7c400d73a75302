import { hostingNetworks } from './hosting-networks.ts';

const hosting = new Set(hostingNetworks.trim().split(/\s+/));

/**
 * Whose network a visit comes from, by the number of its autonomous system: `hosting` if it's in a
 * data centre, where hardly anybody browses, otherwise `other`.
 */
export function classifyNetwork(number: string | undefined): 'hosting' | 'other' | 'unknown' {
  if (number === undefined) return 'unknown';
  return hosting.has(number) ? 'hosting' : 'other';
}
