import { useEffect, useRef, useState } from 'preact/hooks';
import { formatCount } from '../format.ts';

const digits = Array.from({ length: 10 }, (_, digit) => digit);
const emphasisMs = 1_600;

/** A number whose digits roll when it rises. Screen readers get the plain number. */
export function RollingFigure({ value }: { value: number }) {
  const text = formatCount(value);
  return (
    <span class="figure">
      <span class="hidden">{text}</span>
      <span class="rolling" aria-hidden="true">
        {[...text].map((character, index) => {
          // Counted from the end, so a digit keeps its key when a new one appears in front.
          const place = text.length - index;
          return /\d/.test(character) ? (
            <Digit key={place} digit={Number(character)} />
          ) : (
            <span key={`separator-${place}`}>{character}</span>
          );
        })}
      </span>
    </span>
  );
}

function Digit({ digit }: { digit: number }) {
  return (
    <span class="digit">
      <span class="digit-reel" style={{ transform: `translateY(${digit * -10}%)` }}>
        {digits.map((each) => (
          <span key={each}>{each}</span>
        ))}
      </span>
    </span>
  );
}

/** How much a number has just risen, fading out by itself. The first value doesn't count as a rise. */
export function Rise({ value, isKnown }: { value: number; isKnown: boolean }) {
  const rise = useRise(value, isKnown);
  return (
    <span class={rise > 0 ? 'rise is-shown' : 'rise'} aria-hidden="true">
      +{formatCount(Math.max(1, rise))}
    </span>
  );
}

/** A small number that is highlighted for a moment when it rises. */
export function Count({ value }: { value: number }) {
  const rise = useRise(value);
  return <span class={rise > 0 ? 'count has-risen' : 'count'}>{formatCount(value)}</span>;
}

/** How much a value has risen within the last moments, or 0. */
function useRise(value: number, isKnown = true): number {
  const [rise, setRise] = useState(0);
  const before = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (!isKnown) return;
    const difference = value - (before.current ?? value);
    before.current = value;
    if (difference <= 0) return;
    setRise((shown) => shown + difference);
  }, [value, isKnown]);
  useEffect(() => {
    if (rise === 0) return;
    const timer = setTimeout(() => setRise(0), emphasisMs);
    return () => clearTimeout(timer);
  }, [rise]);
  return rise;
}
