import { makeSite } from './traffic.ts';
const quiet = { aggregatorMemoryMb: 512, pushBatchWindowSeconds: 10 };
const large = {
    batchWindowSeconds: 60,
    billing: 'provisioned',
    clicksVia: 'queue',
    pushBatchWindowSeconds: 10,
};
/** For each size, the settings that cost least: for 10 million with a lag of ten seconds and of a minute. */
export const profiles = [
    { clicksPerMonth: 1e5, tuning: quiet },
    { clicksPerMonth: 1e6, tuning: { ...quiet, batchWindowSeconds: 9 } },
    { clicksPerMonth: 1e7, tuning: { ...quiet, batchWindowSeconds: 9 } },
    { clicksPerMonth: 1e7, tuning: { ...quiet, batchWindowSeconds: 60 } },
    { clicksPerMonth: 1e8, tuning: large },
    { clicksPerMonth: 1e9, tuning: large },
];
/** The first profile of the largest size that a site reaches; otherwise the smallest one. */
export function findProfile(clicksPerMonth) {
    const reached = profiles.filter((profile) => profile.clicksPerMonth <= clicksPerMonth);
    const size = Math.max(...reached.map((profile) => profile.clicksPerMonth));
    const [smallest] = profiles;
    const found = reached.find((profile) => profile.clicksPerMonth === size) ?? smallest;
    if (!found)
        throw new Error('expected at least one profile; there is none');
    return found;
}
/** The site of a profile, with its settings. */
export function makeProfileCell({ clicksPerMonth, tuning }) {
    return { traffic: makeSite(clicksPerMonth, tuning.batchWindowSeconds), tuning };
}
