import { formatCount } from '../format.ts';
import { isNarrow } from '../state/browser.ts';
import { type Box, type Layout, narrow, placeDots, wide } from './layout.ts';
import { countIn, type PipelinePart } from './try-run.ts';

type Part = Exclude<PipelinePart, 'start'>;

/** The pipeline's stages, in the order in which a message passes through them. */
export const parts: Record<Part, { title: string; note: string }> = {
  bus: { title: 'Bus', note: 'accepts it' },
  queue: { title: 'Queue', note: 'keeps it safe' },
  aggregator: { title: 'Aggregator', note: 'counts it' },
  table: { title: 'Table', note: 'stores it once' },
  duplicates: { title: 'Duplicates', note: 'seen before' },
  setAside: { title: 'Set aside', note: "can't be counted" },
};

export const order = Object.keys(parts) as Part[];

interface Props {
  places: readonly PipelinePart[];
  /** The index of the first copy. */
  clicks: number;
}

/** The progress of a run's messages. Each is a dot in the stage that the API has reported. */
export function Pipeline({ places, clicks }: Props) {
  const layout = isNarrow.value ? narrow : wide;
  const dots = placeDots(places, layout);
  const label = order.map((part) => `${parts[part].title}: ${countIn(part, places)}`).join(', ');
  return (
    <svg
      class="pipeline"
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      role="img"
      aria-label={label}
    >
      <Arrows layout={layout} />
      {order.map((part) => (
        <PartBox
          key={part}
          part={part}
          layout={layout}
          count={countIn(part, places)}
          isIdle={places.length === 0}
        />
      ))}
      {dots.map(({ x, y }, index) => (
        <circle
          key={index}
          class={`dot ${kindOf(index, clicks)} is-${places[index]}`}
          r={4}
          style={{ transform: `translate(${x}px, ${y}px)` }}
        />
      ))}
    </svg>
  );
}

interface PartBoxProps {
  part: Part;
  layout: Layout;
  count: number;
  isIdle: boolean;
}

function PartBox({ part, layout, count, isIdle }: PartBoxProps) {
  const { x, y, width, height } = layout.boxes[part];
  return (
    <g class={`part is-${part} ${count > 0 ? 'has-messages' : ''}`}>
      <rect x={x} y={y} width={width} height={height} rx={8} />
      <text class="part-title" x={x + 12} y={y + 22}>
        {parts[part].title}
      </text>
      <text class="part-count" x={x + width - 12} y={y + 22} text-anchor="end">
        {count > 0 ? formatCount(count) : ''}
      </text>
      {isIdle && (
        <text class="part-note" x={x + 12} y={y + 44}>
          {parts[part].note}
        </text>
      )}
    </g>
  );
}

function kindOf(index: number, clicks: number): string {
  if (clicks === 0) return 'is-broken';
  return index < clicks ? '' : 'is-copy';
}

function across(first: Box, next: Box) {
  const y = first.y + 58;
  return { from: { x: first.x + first.width, y }, to: { x: next.x, y } };
}

function down(first: Box, next: Box) {
  const x = first.x + first.width / 2;
  return { from: { x, y: first.y + first.height }, to: { x, y: next.y } };
}

/** The arrows between stages. The ones to duplicates and to set-aside messages are dashed. */
function Arrows({ layout }: { layout: Layout }) {
  const { boxes } = layout;
  const [main, aside] = layout === wide ? [across, down] : [down, across];
  const ways = [
    { kind: '', ...main(boxes.bus, boxes.queue) },
    { kind: '', ...main(boxes.queue, boxes.aggregator) },
    { kind: '', ...main(boxes.aggregator, boxes.table) },
    { kind: 'is-aside', ...aside(boxes.queue, boxes.setAside) },
    { kind: 'is-aside', ...aside(boxes.aggregator, boxes.duplicates) },
  ];
  return (
    <g class="ways">
      {ways.map(({ kind, from, to }) => {
        const [dx, dy] = [Math.sign(to.x - from.x), Math.sign(to.y - from.y)];
        const head = `M${to.x - 5 * dx - 4 * dy},${to.y - 5 * dy - 4 * dx}L${to.x},${to.y}L${to.x - 5 * dx + 4 * dy},${to.y - 5 * dy + 4 * dx}`;
        return (
          <g key={`${from.x},${from.y}`} class={`way ${kind}`}>
            <path d={`M${from.x},${from.y}L${to.x},${to.y}`} />
            <path class="way-head" d={head} />
          </g>
        );
      })}
    </g>
  );
}
