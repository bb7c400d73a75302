import { freeUnits, prices } from './prices.ts';
/** What these units cost in US dollars. */
export function dollarsOf(bill, terms = {}) {
    const counts = new Map();
    for (const units of Object.values(bill)) {
        for (const [name, count] of entriesOf(units))
            counts.set(name, (counts.get(name) ?? 0) + count);
    }
    const charged = [...counts].map(([name, count]) => {
        const free = terms.hasFreeUnits ? (freeUnits[name] ?? 0) : 0;
        return priceOf(name, Math.max(0, count - free), terms);
    });
    return addUp(charged);
}
/** What each part of the service costs, without free units. */
export function dollarsByPart(bill, terms = {}) {
    const parts = Object.entries(bill).map(([part, units]) => {
        return [part, addUp(entriesOf(units).map(([name, count]) => priceOf(name, count, terms)))];
    });
    return Object.fromEntries(parts);
}
function priceOf(name, units, { reservedYears }) {
    const { dollars, per } = prices[reservedYears ? reservedNameOf(name, reservedYears) : name];
    return (units / per) * dollars;
}
function reservedNameOf(name, years) {
    if (name !== 'readUnitHour' && name !== 'writeUnitHour')
        return name;
    return `${name}${years === 1 ? 'ForOneYear' : 'ForThreeYears'}`;
}
const entriesOf = (units) => Object.entries(units);
const addUp = (dollars) => dollars.reduce((sum, each) => sum + each, 0);
