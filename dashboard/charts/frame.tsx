import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatCount } from '../format.ts';
import { niceCeiling } from './scale.ts';

const height = 200;
const top = 10;
const bottom = 24;
const left = 4;

/** Where to draw bars: slots side by side, and heights by count. */
export interface Plot {
  slotWidth: number;
  xOf: (index: number) => number;
  heightOf: (count: number) => number;
  baseline: number;
}

interface Props {
  /** The chart's content, for screen readers. */
  label: string;
  max: number;
  labels: readonly string[];
  /** Each slot's numbers. Pointing at a slot, or touching it, shows them. */
  texts: readonly string[];
  /** The slot whose numbers are shown at first. */
  preset: number;
  draw: (plot: Plot) => ComponentChildren;
}

/** The axes of a bar chart, as wide as its container, and the numbers of one of its slots. */
export function Frame({ label, max, labels, texts, preset, draw }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  const chosen = useSignal<number | undefined>(undefined);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      width.value = Math.floor(entry?.contentRect.width ?? 0);
    });
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const ceiling = niceCeiling(max);
  const ticks = [ceiling, ceiling / 2, 0];
  const right = 14 + formatCount(ceiling).length * 7;
  const slotWidth = Math.max(0, width.value - left - right) / texts.length;
  const room = height - top - bottom;
  const heightOf = (count: number) => (count / ceiling) * room;
  const baseline = height - bottom;
  const plot = { slotWidth, heightOf, baseline, xOf: (index: number) => left + index * slotWidth };
  // Another range may have fewer slots.
  const shown = chosen.value !== undefined && chosen.value < texts.length ? chosen.value : preset;
  const choose = ({ clientX }: PointerEvent) => {
    const x = clientX - (box.current?.getBoundingClientRect().left ?? 0) - left;
    const slot = Math.floor(x / slotWidth);
    if (slot >= 0 && slot < texts.length) chosen.value = slot;
  };
  return (
    <div ref={box} class="chart">
      <p class="reading" aria-hidden="true">
        {texts[shown]}
      </p>
      {width.value > 0 && (
        <svg
          width={width.value}
          height={height}
          role="img"
          aria-label={label}
          onPointerDown={choose}
          onPointerMove={choose}
        >
          <rect class="slot" x={plot.xOf(shown)} width={slotWidth} height={baseline} />
          {ticks.map((tick) => (
            <g key={tick} class={tick === 0 ? 'tick is-base' : 'tick'}>
              <line
                x1={left}
                x2={width.value - right}
                y1={baseline - heightOf(tick)}
                y2={baseline - heightOf(tick)}
              />
              <text x={width.value} y={baseline - heightOf(tick) + 4} text-anchor="end">
                {formatCount(tick)}
              </text>
            </g>
          ))}
          {draw(plot)}
          <Labels labels={labels} plot={plot} />
        </svg>
      )}
    </div>
  );
}

const labelWidth = 64;

/** As many labels as fit, always including the last one. */
function Labels({ labels, plot }: { labels: readonly string[]; plot: Plot }) {
  const every = Math.max(1, Math.ceil(labelWidth / Math.max(1, plot.slotWidth)));
  return (
    <g class="labels">
      {labels.map((label, index) => {
        if ((labels.length - 1 - index) % every !== 0) return null;
        const isLast = index === labels.length - 1;
        const isTight = isLast && plot.slotWidth < labelWidth;
        const middle = plot.xOf(index) + plot.slotWidth / 2;
        const x = isTight ? plot.xOf(index + 1) : Math.max(middle, labelWidth / 3);
        return (
          <text key={label} x={x} y={plot.baseline + 17} text-anchor={isTight ? 'end' : 'middle'}>
            {label}
          </text>
        );
      })}
    </g>
  );
}
