import { describe, expect, test } from 'vitest';
import { configurations, mutants } from '../../model/configurations.ts';
import { check, findCompiler } from '../../model/spin.ts';
// Reported as skipped without spin and a C compiler; `npm --prefix proofs run model` says how to install them.
const compiler = (await findCompiler()) ?? '';
const isQuick = ({ isQuick }) => isQuick;
describe.skipIf(compiler === '')('SPIN', () => {
    test.each(configurations.filter(isQuick))('$name: $text', async (configuration) => {
        const verdict = await check(compiler, configuration);
        expect(verdict).toMatchObject({ kind: 'holds', counterexample: [] });
        expect(verdict.states).toBeGreaterThan(40000);
    });
    test.each(mutants.filter(isQuick))('refutes "$name"', async (mutant) => {
        const { kind, counterexample } = await check(compiler, mutant);
        expect(kind).toBe('refuted');
        expect(counterexample.at(-1)).toContain(mutant.flaw);
    });
});
