import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatCount } from '../format.ts';
import { niceCeiling } from './scale.ts';

const height = 200;
const top = 10;
const bottom = 24;
const left = 4;
const baseline = height - bottom;

interface Slot {
  /** Its label on the axis. */
  label: string;
  /** Its numbers. Pointing at the slot, or touching it, shows them. */
  text: string;
  /** Each bar is in front of the one before it. */
  bars: readonly { name: string; count: number }[];
}

interface Props {
  /** The chart's content, for screen readers. */
  label: string;
  slots: readonly Slot[];
  /** The slot whose numbers are shown at first. */
  preset: number;
  /** The space beside a bar in a slot of this width. */
  gapOf: (slotWidth: number, name: string) => number;
}

/** A bar chart, as wide as its container, and the numbers of one of its slots. */
export function BarChart({ label, slots, preset, gapOf }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const counts = slots.flatMap(({ bars }) => bars.map(({ count }) => count));
  const ceiling = niceCeiling(Math.max(0, ...counts));
  const ticks = [ceiling, ceiling / 2, 0];
  const right = 14 + formatCount(ceiling).length * 7;
  const slotWidth = Math.max(0, width - left - right) / slots.length;
  const xOf = (slot: number) => left + slot * slotWidth;
  const heightOf = (count: number) => (count / ceiling) * (baseline - top);
  const yOf = (count: number) => baseline - heightOf(count);
  // Another range may have fewer slots.
  const shown = chosen !== undefined && chosen < slots.length ? chosen : preset;
  const choose = ({ clientX }: PointerEvent) => {
    const x = clientX - (box.current?.getBoundingClientRect().left ?? 0) - left;
    const slot = Math.floor(x / slotWidth);
    if (slot >= 0 && slot < slots.length) setChosen(slot);
  };
  return (
    <div ref={box} class="chart">
      <p class="reading" aria-hidden="true">
        {slots[shown]?.text}
      </p>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={label}
          onPointerDown={choose}
          onPointerMove={choose}
        >
          <rect class="slot" x={xOf(shown)} width={slotWidth} height={baseline} />
          {ticks.map((tick) => (
            <g key={tick} class={tick === 0 ? 'tick is-base' : 'tick'}>
              <line x1={left} x2={width - right} y1={yOf(tick)} y2={yOf(tick)} />
              <text x={width} y={yOf(tick) + 4} text-anchor="end">
                {formatCount(tick)}
              </text>
            </g>
          ))}
          {slots.map(({ text, bars }, slot) => (
            <g key={text} class="bar">
              {bars.map(({ name, count }) => (
                <rect
                  key={name}
                  class={name}
                  x={xOf(slot) + gapOf(slotWidth, name) / 2}
                  y={yOf(count)}
                  width={Math.max(1, slotWidth - gapOf(slotWidth, name))}
                  height={heightOf(count)}
                  rx={1.5}
                />
              ))}
            </g>
          ))}
          <Labels slots={slots} slotWidth={slotWidth} />
        </svg>
      )}
    </div>
  );
}

function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return width;
}

const labelWidth = 64;

/** As many labels as fit, always including the last one. */
function Labels({ slots, slotWidth }: { slots: readonly Slot[]; slotWidth: number }) {
  const every = Math.max(1, Math.ceil(labelWidth / Math.max(1, slotWidth)));
  return (
    <g class="labels">
      {slots.map(({ label, text }, index) => {
        if ((slots.length - 1 - index) % every !== 0) return null;
        const isTight = index === slots.length - 1 && slotWidth < labelWidth;
        const middle = left + (index + 0.5) * slotWidth;
        const x = isTight ? middle + slotWidth / 2 : Math.max(middle, labelWidth / 3);
        return (
          <text key={text} x={x} y={baseline + 17} text-anchor={isTight ? 'end' : 'middle'}>
            {label}
          </text>
        );
      })}
    </g>
  );
}
