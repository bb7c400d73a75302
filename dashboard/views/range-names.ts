import type { Range } from '../days.ts';

/** The labels of the ranges: on the switch, and at the beginning of a sentence. */
export const rangeNames: Record<Range, { label: string; sentence: string }> = {
  '2d': { label: '2 days', sentence: 'Today and yesterday' },
  '7d': { label: '7 days', sentence: 'Last 7 days' },
  '30d': { label: '30 days', sentence: 'Last 30 days' },
  '90d': { label: '90 days', sentence: 'Last 90 days' },
  all: { label: 'All', sentence: 'All time' },
};
