var __addDisposableResource = (this && this.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (this && this.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
import { print } from '../../cli/terminal/print.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { loadPackagedService } from '../../fixtures/packaged-service.ts';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import { renderTable } from '../tools/markdown-table.ts';
import { writeParts } from '../tools/page-part.ts';
import { measure } from './measure.ts';
const description = 'Measure eight approaches on one engine, in batches of 1 and 100: write units, requests, speed, ' +
    'latency and exactness of the counts.';
await runProgram(createProgram('bench', description, 'proofs')
    .option('--quick', 'fewer rounds, in about a minute')
    .option('--write', 'write the tables of docs/costs-and-speed.md')
    .action((options) => runInterruptibly((signal) => bench(options, signal))));
async function bench({ quick, write }, signal) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { template, environment } = await loadPackagedService();
        const { endpoint, stop } = await startDynamoDb();
        const _ = __addDisposableResource(env_1, { [Symbol.asyncDispose]: stop }, true);
        const rounds = quick ? 3 : 9;
        const scenarios = [1, 100].flatMap((batch) => [1, 20, 100].map((links) => ({ links, batch })));
        const atOnce = scenarios.filter(({ batch }) => batch === 100);
        // A batch takes seconds, and little else makes a difference.
        const fewRounds = 3;
        const allRounds = scenarios.length * rounds + atOnce.length * fewRounds;
        const progress = createProgress(allRounds, 'rounds');
        Object.assign(process.env, environment);
        const { write: writeOut } = process.stdout;
        // Metrics are printed, which costs little in Lambda.
        process.stdout.write = () => true;
        const onRound = () => {
            signal.throwIfAborted();
            progress.add();
        };
        const measureAll = async () => [
            await measure({ endpoint, template, rounds, scenarios, hasLatencies: false }, onRound),
            await measure({ endpoint, template, rounds: fewRounds, scenarios: atOnce, hasLatencies: true }, onRound),
        ];
        const [measurements = [], withLatencies = []] = await measureAll().finally(() => {
            process.stdout.write = writeOut;
            progress.end();
        });
        const single = renderApproaches(measurements, 1);
        const approaches = renderApproaches(measurements, 100);
        const latencies = renderApproaches(withLatencies, 100);
        print(`${single}\n\n${approaches}\n\nWith the latencies of AWS:\n\n${latencies}\n`);
        const parts = { approaches, single, latencies };
        if (write)
            await writeParts('costs-and-speed.md', 'bench -- --write', parts);
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = __disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}
/** Compares the approaches with batches of one size. Each cell has a figure for each number of links. */
function renderApproaches(measurements, batch) {
    const compared = measurements.filter((one) => one.batch === batch);
    const links = [...new Set(compared.map((one) => one.links))];
    const column = (title, read) => [
        title,
        (row) => row.map(read).join(', '),
        'words',
    ];
    const speedBeside = (peer) => (one) => {
        const base = compared.find(({ approach, links }) => approach === peer && links === one.links);
        return (one.clicksPerSecond / (base?.clicksPerSecond ?? Number.NaN)).toFixed(1);
    };
    const columns = [
        [`batch of ${batch}, on ${links.join(', ')} links`, ([one]) => nameOf(one), 'words'],
        column('write units/click', (one) => one.writeUnitsPerClick.toFixed(2)),
        column('requests/click', (one) => one.requestsPerClick.toFixed(2)),
        column('speed ÷ hand-rolled', speedBeside('hand-rolled')),
        column('÷ hand-rolled-parallel', speedBeside('hand-rolled-parallel')),
        column('p50 ms', (one) => one.p50Ms.toFixed(one.p50Ms < 10 ? 1 : 0)),
        ['exact', (row) => (row.every(({ exact }) => exact) ? 'yes' : '**no**'), 'words'],
    ];
    return renderTable(columns, [...Map.groupBy(compared, ({ approach }) => approach).values()]);
}
function nameOf(one) {
    const { approach = '' } = one ?? {};
    return approach.startsWith('click-tally') ? `**${approach}**` : approach;
}
