import { assumptions } from './assumptions.ts';
const manyLinks = { links: 100000, hotShare: 0 };
const oneHotLink = { links: 100000, hotShare: 0.9 };
function steady(name, law, clicksPerSecond, [measureFromSeconds, untilSeconds]) {
    return { name, law, clicksPerSecond, measureFromSeconds, untilSeconds };
}
/** The traffics that limit a stage, each as short as stable figures permit. */
const busy = steady('busy', manyLinks, 1000, [15, 75]);
const viral = steady('viral', oneHotLink, 20000, [8, 33]);
const outage = {
    ...steady('outage', { links: 1000, hotShare: 0, isForeign: true }, 20, [15, 4000]),
    outage: { fromSeconds: 60, untilSeconds: 3660 },
    untilEmpty: true,
};
const rise = { ...steady('rise', manyLinks, 100, [0, 1200]), untilEmpty: true };
export const traffics = { busy, viral, outage, rise };
/**
 * A site whose clicks are spread evenly over the month, by default with a link per 1,000 clicks a month. A run
 * has many windows, so that the first and the last one hardly matter.
 */
export function makeSite(clicksPerMonth, windowSeconds = 1, links = Math.min(100000, Math.ceil(clicksPerMonth / 1000))) {
    const clicksPerSecond = clicksPerMonth / assumptions.secondsPerMonth;
    const warmSeconds = Math.max(60, 3 * windowSeconds);
    const seconds = Math.min(6 * 3600, Math.max(60, 12 * windowSeconds, 2000 / clicksPerSecond));
    const name = `${clicksPerMonth.toLocaleString('en-US')} clicks a month`;
    return steady(name, { links, hotShare: 0 }, clicksPerSecond, [
        warmSeconds,
        warmSeconds + seconds,
    ]);
}
