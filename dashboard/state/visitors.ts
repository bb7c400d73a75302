import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { GetLinkStatsAnswer } from '../../lib/links/api/answer-schemas.ts';
import type { Range } from '../days.ts';

interface RangeVisitors extends Pick<GetLinkStatsAnswer, 'visitors' | 'visitorsSince' | 'days'> {
  range: Range;
}

/**
 * A link's visitors in the chosen range, once its view has read them. Pushes don't have them: a range's
 * visitors are a union over its days, which a push doesn't read.
 */
export function createVisitors(range: ReadonlySignal<Range>) {
  const last = signal<RangeVisitors>();
  const shown = computed(() => (last.value?.range === range.value ? last.value : undefined));
  const take = (read: RangeVisitors) => {
    last.value = read;
  };
  return { shown, take };
}
