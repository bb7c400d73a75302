import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { cpuMs } from '../../../capacity/cpu-fit.ts';
import { readCpu } from '../../../capacity/cpu-record.ts';

test('the measurement of this repository can be read, and fits what it measured', () => {
  const { fit, initMs, reference, workloads } = readCpu();

  expect(initMs).toBeGreaterThan(0);
  expect(reference.ms).toBeGreaterThan(0);
  for (const load of workloads) expect(cpuMs(fit, load)).toBeCloseTo(load.fittedMs, 6);
});

test('a missing measurement is an error that says how to make one', async () => {
  await using dir = await mkdtempDisposable(path.join(tmpdir(), 'click-tally-cpu-'));
  const file = pathToFileURL(path.join(dir.path, 'cpu.json'));

  expect(() => readCpu(file)).toThrow(/ENOENT.*npm --prefix proofs run capacity -- --measure-cpu/);
});

test('a measurement without a fit is an error that names what is missing', async () => {
  await using dir = await mkdtempDisposable(path.join(tmpdir(), 'click-tally-cpu-'));
  const file = path.join(dir.path, 'cpu.json');
  await writeFile(file, JSON.stringify({ ...readCpu(), fit: undefined }));

  expect(() => readCpu(pathToFileURL(file))).toThrow(/fit/);
});
