/** What the model is compared with: the local stack, batches on a real engine, published figures. */
export const parts = ['stack', 'batches', 'published'] as const;
export type Part = (typeof parts)[number];

/**
 * `agrees`: within the tolerance. `deviates`: not, for a known reason. `unexplained`: not, and for no
 * known reason, so the model is wrong, or something that nobody has thought of.
 */
export const verdicts = ['agrees', 'deviates', 'unexplained'] as const;
export type Verdict = (typeof verdicts)[number];

/** One comparison. */
export interface CheckRow {
  part: Part;
  /** The traffic, or the source of a published figure. */
  subject: string;
  figure: string;
  unit: string;
  /** Measured here, or published; undefined for what is no number. */
  real: number | undefined;
  model: number | undefined;
  verdict: Verdict;
  /** Why it deviates, or what is unexplained; empty if it agrees. */
  words: string;
}

/** A pair of figures, before it is judged. */
export interface Pair extends Pick<CheckRow, 'part' | 'subject' | 'figure' | 'unit'> {
  real: number;
  model: number;
}

/** How far apart the figures may be, and what explains a greater distance. */
export interface Rule {
  /** A share of the real figure. */
  tolerance: number;
  /** How far the model's figure may be above, if that is less: nothing exceeds a limit. */
  toleranceAbove?: number | undefined;
  /** Undefined if nothing does. */
  reason?: Reason | undefined;
}

/** Why the model deviates. */
export interface Reason {
  words: string;
  /** The most that it explains, as a share of the real figure. */
  upTo: number;
}

/** Judges a pair of figures. */
export function judge(
  pair: Pair,
  { tolerance, toleranceAbove = tolerance, reason }: Rule,
): CheckRow {
  const { real, model } = pair;
  if (model >= real * (1 - tolerance) && model <= real * (1 + toleranceAbove)) {
    return { ...pair, verdict: 'agrees', words: '' };
  }
  const apart = formatDeviation(real, model);
  if (reason && Math.abs(model - real) <= reason.upTo * real) {
    return { ...pair, verdict: 'deviates', words: `${apart}: ${reason.words}` };
  }
  return { ...pair, verdict: 'unexplained', words: `${apart}, and no reason is known` };
}

function formatDeviation(real: number, model: number): string {
  const sign = model < real ? '−' : '+';
  if (real === 0) return `${sign}${round(Math.abs(model))}`;
  return `${sign}${round(100 * Math.abs(model / real - 1))} %`;
}

function round(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}
