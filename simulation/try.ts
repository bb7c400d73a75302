import { Simulator } from './pool.ts';

const s = new Simulator();
const r = await s.run({
  seed: Number(process.argv[2]),
  options: { maxClicks: 300 },
  isTraced: true,
});
console.log(r.lines.slice(-30).join('\n'));
console.log(r.violations);
await s.stop();
