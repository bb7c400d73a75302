import { freeUnits, type PriceName, prices } from './prices.ts';
import type { Units } from './usage.ts';

/** The units of each part of the service. */
type Bill = Readonly<Record<string, Units>>;

/** How the units are paid. By default, at list prices and without free units. */
export interface Terms {
  /** All units of a provisioned table are reserved for this many years. */
  reservedYears?: 1 | 3;
  /** The month's bill has the units that are free forever, and no other stage uses them. */
  hasFreeUnits?: boolean;
}

/** What these units cost in US dollars. */
export function dollarsOf(bill: Bill, terms: Terms = {}): number {
  const counts = new Map<PriceName, number>();
  for (const units of Object.values(bill)) {
    for (const [name, count] of entriesOf(units)) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const charged = [...counts].map(([name, count]) => {
    const free = terms.hasFreeUnits ? (freeUnits[name] ?? 0) : 0;
    return priceOf(name, Math.max(0, count - free), terms);
  });
  return addUp(charged);
}

/** What each part of the service costs, without free units. */
export function dollarsByPart<Part extends string>(
  bill: Readonly<Record<Part, Units>>,
  terms: Terms = {},
): Record<Part, number> {
  const parts = Object.entries<Units>(bill).map(([part, units]) => {
    return [part, addUp(entriesOf(units).map(([name, count]) => priceOf(name, count, terms)))];
  });
  return Object.fromEntries(parts);
}

function priceOf(name: PriceName, units: number, { reservedYears }: Terms): number {
  const { dollars, per } = prices[reservedYears ? reservedNameOf(name, reservedYears) : name];
  return (units / per) * dollars;
}

function reservedNameOf(name: PriceName, years: 1 | 3): PriceName {
  if (name !== 'readUnitHour' && name !== 'writeUnitHour') return name;
  return `${name}${years === 1 ? 'ForOneYear' : 'ForThreeYears'}`;
}

const entriesOf = (units: Units) => Object.entries(units) as [PriceName, number][];
const addUp = (dollars: readonly number[]) => dollars.reduce((sum, each) => sum + each, 0);
