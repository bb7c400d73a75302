/** The value of clicks by bots. */
export const botValue = 'bot';

/** The breakdowns by visit in which clicks by bots have no other value than `bot`. */
export const dividedBreakdowns: readonly string[] = ['device', 'referrer', 'country'];

type Breakdowns = Readonly<Record<string, readonly { name: string; count: number }[]>>;

/** The clicks in the values of {@link dividedBreakdowns} that may not be by people. */
export interface Undivided {
  /** By bots: counted before these breakdowns had the value `bot`. */
  bots: number;
  /** By people or by bots: the producer doesn't say which. */
  unknown: number;
}

/** A click by a bot raises `bot` in all of these breakdowns or, before they had it, in none. */
export function findUndivided(breakdowns: Breakdowns): Undivided {
  const countOf = (breakdown: string, value: string) =>
    breakdowns[breakdown]?.find(({ name }) => name === value)?.count ?? 0;
  return {
    bots: countOf('visitor', botValue) - countOf('device', botValue),
    unknown: countOf('visitor', 'other') + countOf('visitor', 'unknown'),
  };
}

/** Whether a breakdown says something. Without CloudFront, the country and the network of people are unknown. */
export function hasKnownValues(breakdowns: Breakdowns, breakdown: string): boolean {
  const ignored = dividedBreakdowns.includes(breakdown) ? ['unknown', botValue] : ['unknown'];
  return breakdowns[breakdown]?.some(({ name }) => !ignored.includes(name)) ?? false;
}

/** Whose clicks a breakdown's value has. Undefined if it isn't known. */
export function divideValue(
  breakdowns: Breakdowns,
  breakdown: string,
  { name, count }: { name: string; count: number },
): { people: number; bots: number } | undefined {
  if (name === botValue) return { people: 0, bots: count };
  const { bots, unknown } = findUndivided(breakdowns);
  const isDivided = dividedBreakdowns.includes(breakdown) && bots === 0 && unknown === 0;
  const areByPeople = breakdown === 'visitor' ? name === 'human' : isDivided;
  return areByPeople ? { people: count, bots: 0 } : undefined;
}
