import { plantedBugs } from './planted-bugs.ts';
import { Simulator } from './pool.ts';

const only = process.argv[2];
const maxClicks = Number(process.argv[3] ?? 300);
const list = plantedBugs.filter((b) => !only || b.name.includes(only));
const t0 = performance.now();
const one = async () => {
  const sim = new Simulator();
  for (let bug = list.shift(); bug; bug = list.shift()) {
    const t = performance.now();
    let found = '';
    let boot = 0;
    try {
      for (let seed = 1; seed <= 200 && !found; seed++) {
        const r = await sim.run({ seed, bug: bug.name, options: { maxClicks } });
        boot ||= performance.now() - t;
        if (r.violations.length)
          found = `seed ${seed} ${r.violations[0]?.kind}: ${r.violations[0]?.text}`;
      }
    } catch (e) {
      found = `ERROR ${e}`;
    }
    console.log(
      found ? 'ok  ' : 'MISS',
      Math.round(boot),
      Math.round(performance.now() - t),
      bug.name,
      '--',
      found,
    );
  }
  await sim.stop();
};
await Promise.all([one(), one()]);
console.log(Math.round(performance.now() - t0));
