import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { countOf, formatCount } from '../format.ts';
import { niceCeiling } from './scale.ts';

const height = 200;
const top = 10;
const bottom = 24;
const left = 4;
const baseline = height - bottom;

export interface Slot {
  /** Its label on the axis, and the whole one. */
  label: string;
  title: string;
  /** The parts of its bar, from the bottom. */
  counts: readonly number[];
}

interface Props {
  /** What the parts of a bar stand for. */
  names: readonly string[];
  slots: readonly Slot[];
  /** Visitors of several days can't be added up. */
  noun?: 'click' | 'visitor';
}

/** Stacked bars, as wide as their container, and the numbers of the one that is pointed at. */
export function BarChart({ names, slots, noun = 'click' }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [chosen, setChosen] = useState<number>();
  const totals = slots.map(({ counts }) => sum(counts));
  const max = Math.max(0, ...totals);
  const best = slots[totals.indexOf(max)];
  const label =
    `${noun === 'click' ? countOf(sum(totals), noun) : 'Visitors by day'} from ${slots[0]?.title} to ${slots.at(-1)?.title}` +
    (best && max > 0 ? `; most on ${best.title}: ${formatCount(max)}` : '');
  const ceiling = niceCeiling(max);
  const ticks = [ceiling, ceiling / 2, 0];
  const right = 14 + formatCount(ceiling).length * 7;
  const slotWidth = Math.max(0, width - left - right) / slots.length;
  const gap = Math.min(6, slotWidth * 0.22);
  const xOf = (slot: number) => left + slot * slotWidth;
  const heightOf = (count: number) => (count / ceiling) * (baseline - top);
  const yOf = (count: number) => baseline - heightOf(count);
  // Another range may have fewer slots.
  const shown = chosen !== undefined && chosen < slots.length ? chosen : slots.length - 1;
  const choose = ({ clientX }: PointerEvent) => {
    const x = clientX - (box.current?.getBoundingClientRect().left ?? 0) - left;
    const slot = Math.floor(x / slotWidth);
    if (slot >= 0 && slot < slots.length) setChosen(slot);
  };
  return (
    <div ref={box} class="chart">
      <p class="reading" aria-hidden="true">
        {describe(slots[shown], names, noun)}
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
          {slots.map(({ title, counts }, slot) => (
            <g key={title} class="bar">
              {/* From the highest to the lowest, so each covers the one before it. */}
              {parts.slice(-counts.length).map((part, index) => {
                const count = sum(counts.slice(0, counts.length - index));
                return (
                  <rect
                    key={part}
                    class={part}
                    x={xOf(slot) + gap / 2}
                    y={yOf(count)}
                    width={Math.max(1, slotWidth - gap)}
                    height={heightOf(count)}
                    rx={1.5}
                  />
                );
              })}
            </g>
          ))}
          <Labels slots={slots} slotWidth={slotWidth} />
        </svg>
      )}
    </div>
  );
}

const parts = ['third', 'second', 'first'];

export const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** A slot's numbers in one sentence. */
function describe(slot: Slot | undefined, names: readonly string[], noun: string): string {
  if (!slot) return '';
  const { title, counts } = slot;
  const each = names.map((name, index) => `, ${formatCount(counts[index] ?? 0)} ${name}`);
  return `${title}: ${countOf(sum(counts), noun)}${each.join('')}`;
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
      {slots.map(({ label, title }, index) => {
        if ((slots.length - 1 - index) % every !== 0) return null;
        const isTight = index === slots.length - 1 && slotWidth < labelWidth;
        const middle = left + (index + 0.5) * slotWidth;
        const x = isTight ? middle + slotWidth / 2 : Math.max(middle, labelWidth / 3);
        return (
          <text key={title} x={x} y={baseline + 17} text-anchor={isTight ? 'end' : 'middle'}>
            {label}
          </text>
        );
      })}
    </g>
  );
}
