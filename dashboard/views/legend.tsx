const swatches = ['swatch', 'swatch is-second', 'swatch is-third'];

/** What the colours of a chart of days mean. */
export function Legend({ names }: { names: readonly string[] }) {
  return (
    <p class="legend">
      {names.map((name, index) => (
        <span key={name}>
          <i class={swatches[index]} />
          {name}
        </span>
      ))}
      <span class="muted">UTC days</span>
    </p>
  );
}
