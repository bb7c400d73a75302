// Runs in a process of its own and reports how many milliseconds it takes to import a bundle.
const [bundle = ''] = process.argv.slice(2);

const startMs = performance.now();
await import(bundle);
process.send?.(performance.now() - startMs, () => process.disconnect());

export {};
