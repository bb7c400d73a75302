// Runs in a separate process and reports the milliseconds that importing a bundle takes.
const [bundle = ''] = process.argv.slice(2);

const startMs = performance.now();
await import(bundle);
process.send?.(performance.now() - startMs, () => process.disconnect());

export {};
