// The building blocks of the dashboard: metrics, graphs and their layout.
const { variable } = require('./variables.cjs');

/**
 * A source of metrics.
 *
 * @param {string} namespace
 * @param {Record<string, string>} dimensions
 * @returns {import('./cloudwatch.ts').Source}
 */
const source = (namespace, dimensions) => (name, label, options) => [
  namespace,
  name,
  ...Object.entries(dimensions).flat(),
  { label, ...options },
];

// CloudWatch stops an idle queue's metrics, and the service emits only what happened. FILL makes missing data
// points count as 0.
/** @param {string[]} ids */
const fill = (ids) => ids.map((id) => `FILL(${id}, 0)`);
/** @param {string[]} ids */
const sum = (ids) => fill(ids).join(' + ');
/**
 * MAX of a single metric would be a number instead of a series.
 *
 * @param {string[]} ids
 */
const greatest = (ids) => (ids.length > 1 ? `MAX([${fill(ids).join(', ')}])` : sum(ids));

/**
 * One line for the same metric from several sources. `combineIds` makes an expression from their
 * metrics, which are hidden. By default, the expression's id comes from the label, so a graph's labels
 * must be unique.
 *
 * @param {import('./cloudwatch.ts').Source[]} sources
 * @param {(ids: string[]) => string} combineIds
 * @returns {import('./cloudwatch.ts').Combination}
 */
const combine = (sources, combineIds) => (name, label, options) => {
  const { id = label.replaceAll(' ', ''), stat, ...ofLine } = options ?? {};
  const ids = sources.map((_, index) => `${id}${index + 1}`);
  const hidden = { visible: false, ...(stat && { stat }) };
  return [
    [{ ...ofLine, id, label, expression: combineIds(ids) }],
    ...sources.map((from, index) => from(name, undefined, { ...hidden, id: ids[index] })),
  ];
};

/**
 * A metric that is 0 where it has no data points.
 *
 * @param {import('./cloudwatch.ts').Source} from
 */
const orZero = (from) => combine([from], sum);

/**
 * @param {import('./cloudwatch.ts').Source} from
 * @param {string} name
 */
const percentiles = (from, name) => ['p50', 'p99'].map((stat) => from(name, stat, { stat }));

/**
 * A time series graph. Its width is in columns, and a period is in seconds.
 *
 * @param {number} width
 * @param {string} title
 * @param {object} properties
 * @param {import('./cloudwatch.ts').Line[]} metrics
 * @returns {import('./cloudwatch.ts').Widget}
 */
const graph = (width, title, properties, metrics) => ({
  type: 'metric',
  width,
  properties: {
    title,
    region: variable('AWS::Region'),
    view: 'timeSeries',
    period: 300,
    ...properties,
    metrics,
  },
});

/**
 * Sets the position of every widget in the rows.
 *
 * @param {import('./cloudwatch.ts').Row[]} rows
 */
function layOut(rows) {
  const placed = [];
  let y = 0;
  for (const [height, ...widgets] of rows) {
    let x = 0;
    for (const widget of widgets) {
      placed.push({ ...widget, x, y, height });
      x += widget.width;
    }
    y += height;
  }
  return placed;
}

module.exports = { source, sum, greatest, combine, orZero, percentiles, graph, layOut };
