import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { startHttpServer } from '../../cli/loopback/http-server.ts';
import { printLine } from '../../cli/terminal/print.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { packageAggregator, runOnBundle } from '../tools/packaged-aggregator.ts';
import { percentile } from '../tools/percentile.ts';
import { cpuMs, fitCpu } from './cpu-fit.ts';
import { type CpuRecord, cpuFile } from './cpu-record.ts';
import { formatCpu } from './cpu-report.ts';
import {
  type ProcessReport,
  type Sample,
  totalsPath,
  type Workload,
  workloads,
} from './cpu-workload.ts';
import { referenceIterations } from './reference.ts';

/** Each is a cold start; the medians are over all of them. */
const processCount = 5;

/**
 * Lambda's variables by which the bundle traces: as on a stage, it runs the X-Ray SDK, here for
 * invocations that are not sampled, as most are.
 */
const lambdaVariables = {
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  LAMBDA_TASK_ROOT: '/var/task',
  _X_AMZN_TRACE_ID: 'Root=1-00000000-000000000000000000000000;Parent=0000000000000000;Sampled=0',
};

/**
 * Measures the CPU time of the packaged aggregator on this machine, prints it and rewrites
 * cpu.json. Takes several minutes.
 */
export async function measureCpu(signal: AbortSignal): Promise<void> {
  await using dir = await mkdtempDisposable(path.join(tmpdir(), 'click-tally-cpu-'));
  const { environment, bundle } = await packageAggregator(dir.path);
  const dynamodb = await startEndpoint();
  const progress = createProgress(processCount, 'processes');
  const reports: ProcessReport[] = [];
  try {
    const script = path.join(import.meta.dirname, 'cpu-process.ts');
    const env = { ...environment, ...lambdaVariables, AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url };
    while (reports.length < processCount) {
      reports.push((await runOnBundle(script, { bundle }, { env, signal })) as ProcessReport);
      progress.add();
    }
  } finally {
    progress.end();
    await dynamodb.stop();
  }
  const record = summarise(reports);
  for (const line of formatCpu(record)) printLine(line);
  await writeFile(cpuFile, `${JSON.stringify(record, null, 2)}\n`);
}

/** Answers every transaction at once with a success, and counts transactions and their items. */
function startEndpoint() {
  let totals = { transactions: 0, items: 0 };
  return startHttpServer(async ({ path, body }) => {
    if (path === totalsPath) {
      const counted = totals;
      totals = { transactions: 0, items: 0 };
      return { status: 200, body: counted };
    }
    const { TransactItems }: { TransactItems: unknown[] } = JSON.parse(body);
    totals.transactions += 1;
    totals.items += TransactItems.length;
    const units = 2 * TransactItems.length;
    const ConsumedCapacity = [
      { TableName: 'ClickTable', CapacityUnits: units, WriteCapacityUnits: units },
    ];
    return { status: 200, body: { ConsumedCapacity } };
  });
}

function summarise(reports: ProcessReport[]): CpuRecord {
  const samples = reports.flatMap((report) => report.samples);
  const measured = workloads.map((workload) => combine(workload, samples));
  const { fit, standardErrors } = fitCpu(measured);
  const fitted = measured.map(({ referenceMs, ...load }) => {
    const fittedMs = cpuMs(fit, load);
    return { ...load, fittedMs, residual: (load.cpuMs - fittedMs) / load.cpuMs, referenceMs };
  });
  const squares = fitted.map(({ residual }) => residual ** 2);
  return {
    measuredAt: new Date().toISOString(),
    cpu: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    reference: {
      iterations: referenceIterations,
      ms: median(samples.map(({ referenceMs }) => referenceMs)),
    },
    initMs: median(reports.map(({ initMs }) => initMs)),
    ...{ fit, standardErrors },
    relativeError: Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length),
    workloads: fitted,
  };
}

/** The medians of the times, and the means of what the invocations wrote. */
function combine(workload: Workload, all: Sample[]): Sample {
  const samples = all.filter(
    ({ clicks, links, environments }) =>
      clicks === workload.clicks &&
      links === workload.links &&
      environments === workload.environments,
  );
  const mean = (read: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + read(sample), 0) / samples.length;
  return {
    ...workload,
    transactions: mean(({ transactions }) => transactions),
    items: mean(({ items }) => items),
    cpuMs: median(samples.map((sample) => sample.cpuMs)),
    referenceMs: median(samples.map(({ referenceMs }) => referenceMs)),
  };
}

function median(values: number[]): number {
  return percentile(values, 0.5);
}
