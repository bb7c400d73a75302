import type { Range } from '../days.ts';

/** What the ranges are called: on the switch, and at the beginning of a sentence. */
export const rangeNames: Record<Range, { label: string; sentence: string }> = {
  '24h': { label: '24 hours', sentence: 'Today and yesterday' },
  '7d': { label: '7 days', sentence: 'In 7 days' },
  '30d': { label: '30 days', sentence: 'In 30 days' },
  '90d': { label: '90 days', sentence: 'In 90 days' },
  all: { label: 'All', sentence: 'On all days' },
};
