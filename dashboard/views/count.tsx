import { useEffect, useRef, useState } from 'preact/hooks';
import { formatCount } from '../format.ts';

const emphasisMs = 1_600;

/** A number that is highlighted for a moment when it rises. The first value isn't a rise. */
export function Count({ value }: { value: number }) {
  const [hasRisen, setRisen] = useState(false);
  const before = useRef(value);
  useEffect(() => {
    const isRise = value > before.current;
    before.current = value;
    if (!isRise) return;
    setRisen(true);
    const timer = setTimeout(() => setRisen(false), emphasisMs);
    return () => clearTimeout(timer);
  }, [value]);
  return <span class={hasRisen ? 'count has-risen' : 'count'}>{formatCount(value)}</span>;
}
