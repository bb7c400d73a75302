import { campaignLetters, visitValues } from './breakdowns.ts';
const dayMs = 86400000;
/** A time, and known, made-up or missing values. */
export function drawDetail(random, nowMs) {
    const ageMs = random.chance(0.1) ? random.integer(0, 5 * dayMs) : 0;
    const values = Object.entries(visitValues).map(([name, attributes]) => [
        name,
        random.pick([...Object.keys(attributes), undefined, null, 'made-up']),
    ]);
    return { at: new Date(nowMs - ageMs).toISOString(), ...Object.fromEntries(values) };
}
/** About half of the UTM parameters, each with one of as many values. */
export function drawCampaign(random, values) {
    const drawn = Object.keys(campaignLetters).map((name) => [name, random.integer(0, 2 * values)]);
    return Object.fromEntries(drawn.flatMap(([name, value]) => (Number(value) < values ? [[name, `value-${value}`]] : [])));
}
