import { fitLinear } from './least-squares.ts';

/** What an invocation of the aggregator does, as far as it takes CPU time. */
export interface Load {
  clicks: number;
  transactions: number;
  /** Over all transactions. */
  items: number;
}

/** The CPU time of an invocation, in milliseconds on the machine that was measured. */
export interface CpuFit {
  perInvocationMs: number;
  perClickMs: number;
  perTransactionMs: number;
  perItemMs: number;
}

type Term = keyof CpuFit;

const terms = ['perInvocationMs', 'perClickMs', 'perTransactionMs', 'perItemMs'] as const;
const none: CpuFit = { perInvocationMs: 0, perClickMs: 0, perTransactionMs: 0, perItemMs: 0 };

/** So many standard errors from 0, a term is not there by chance: at about 95%. */
const significantErrors = 2;

/** The CPU time of one invocation, in milliseconds on the machine of the fit. */
export function cpuMs(fit: CpuFit, load: Load): number {
  return terms.reduce((sum, term) => sum + fit[term] * amountOf(term, load), 0);
}

/** Lambda gives a function one vCPU at this memory. See {@link cpuShare}. */
const memoryMbOfOneCpu = 1_769;

/**
 * The share of one vCPU that a single-threaded handler gets. Lambda gives CPU in proportion to
 * memory; more than one vCPU would only serve further threads.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
export function cpuShare(memoryMb: number): number {
  return Math.min(1, memoryMb / memoryMbOfOneCpu);
}

/** The CPU time that invocations of one load took. */
export interface MeasuredLoad extends Load {
  cpuMs: number;
}

export interface FittedCpu {
  fit: CpuFit;
  /** Of each term; 0 for one that was dropped. */
  standardErrors: CpuFit;
}

/**
 * Fits the terms by least squares of the relative errors, so that small batches count as much as
 * large ones. A term that is not significantly greater than 0 is dropped.
 */
export function fitCpu(measured: readonly MeasuredLoad[]): FittedCpu {
  let kept: readonly Term[] = terms;
  for (;;) {
    const fitted = fitTerms(kept, measured);
    const weakest = fitted.toSorted((a, b) => a.ms / a.errorMs - b.ms / b.errorMs)[0];
    if (!weakest || weakest.ms >= significantErrors * weakest.errorMs) {
      return {
        fit: { ...none, ...collect(fitted, ({ ms }) => ms) },
        standardErrors: { ...none, ...collect(fitted, ({ errorMs }) => errorMs) },
      };
    }
    kept = kept.filter((term) => term !== weakest.term);
  }
}

interface FittedTerm {
  term: Term;
  ms: number;
  errorMs: number;
}

function fitTerms(kept: readonly Term[], measured: readonly MeasuredLoad[]): FittedTerm[] {
  const { coefficients, standardErrors } = fitLinear(
    measured.map((load) => kept.map((term) => amountOf(term, load) / load.cpuMs)),
    measured.map(() => 1),
  );
  return kept.map((term, index) => ({
    term,
    ms: coefficients[index] ?? 0,
    errorMs: standardErrors[index] ?? 0,
  }));
}

function collect(fitted: FittedTerm[], read: (fitted: FittedTerm) => number): Partial<CpuFit> {
  return Object.fromEntries(fitted.map((one) => [one.term, read(one)]));
}

function amountOf(term: Term, { clicks, transactions, items }: Load): number {
  switch (term) {
    case 'perInvocationMs':
      return 1;
    case 'perClickMs':
      return clicks;
    case 'perTransactionMs':
      return transactions;
    case 'perItemMs':
      return items;
  }
}
