import { sparkline } from './scale.ts';

const width = 112;
const height = 28;

/** The trend of the last days. The numbers are next to it. Without clicks, there's no line. */
export function Sparkline({ values }: { values: readonly number[] }) {
  if (!values.some((value) => value > 0)) return <span class="sparkline" />;
  const line = sparkline(values, width, height);
  const last = values.at(-1) ?? 0;
  const top = height - (last / Math.max(1, ...values)) * height;
  return (
    <svg class="sparkline" viewBox={`-3 -3 ${width + 6} ${height + 6}`} aria-hidden="true">
      <path class="sparkline-area" d={`${line}L${width},${height}L0,${height}Z`} />
      <path class="sparkline-line" d={line} />
      <circle class="sparkline-end" cx={width} cy={top} r="2.4" />
    </svg>
  );
}
