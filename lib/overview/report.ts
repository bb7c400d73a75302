import { divideValue } from '../clicks/undivided.ts';
import { byteOrderMark, formatLine } from '../links/import-export/csv-cells.ts';
import type { Sums } from './day-sums.ts';
import type { OverviewQuery } from './overview-request.ts';
import type { OverviewAnswer } from './overview-schemas.ts';

// Without "clicks", a spreadsheet's reader would take them for unique visitors.
const heads = [
  'part',
  'name',
  'from',
  'to',
  'clicks',
  'clicks by people',
  'clicks by bots',
  'visitors (estimated)',
];

interface Numbers extends Partial<Sums> {
  visitors?: number;
}

/** Which clicks the report has. */
type Choice = Pick<OverviewQuery, 'code' | 'tag' | 'search' | 'filter'>;

/**
 * An overview as CSV: a line for the total, each period that was compared, each day, each link, and each
 * value of the campaigns and breakdowns. A cell is empty if clicks by people and by bots aren't told apart, or
 * if the visitors aren't known.
 */
export function formatReport(overview: OverviewAnswer, choice: Choice): string {
  const { from, to, comparison, days, links, oldLinks, values, unread } = overview;
  const line = (part: string, name: string, numbers: Numbers, range = { from, to }) => {
    const { clicks, people, bots, visitors } = numbers;
    return formatLine([part, name, range.from, range.to, clicks, people, bots, visitors]);
  };
  const lines = [line('total', describeChoice(choice), overview)];
  if (comparison) {
    const { current, before } = comparison;
    lines.push(line('compared', 'current', current, current));
    lines.push(line('compared', 'before', before, before));
  }
  for (const { date, count, people, bots } of days) {
    const day = { from: date, to: date };
    lines.push(line('day', date, { clicks: count, people, bots }, day));
  }
  for (const { code, ...sums } of links) lines.push(line('link', code, sums));
  for (const [parameter, list] of Object.entries(values?.campaigns ?? {})) {
    for (const { name, count, people, undivided } of list) {
      const divided = undivided === 0 ? { people } : {};
      lines.push(line(parameter, name, { clicks: count, ...divided }));
    }
  }
  for (const [breakdown, list] of Object.entries(values?.breakdowns ?? {})) {
    for (const value of list) {
      const divided = divideValue(values?.breakdowns ?? {}, breakdown, value);
      lines.push(line(breakdown, value.name, { clicks: value.count, ...divided }));
    }
  }
  if (values && values.unread.links > 0) {
    lines.push(
      line('not in campaigns and breakdowns', `${values.unread.links} links`, values.unread),
    );
  }
  if (unread && unread.links > 0)
    lines.push(line('not in these numbers', `${unread.links} links`, unread));
  if (oldLinks > 0) lines.push(line('without their newest clicks', `${oldLinks} links`, {}));
  return `${byteOrderMark}${formatLine(heads)}${lines.join('')}`;
}

/** The choice as the total's name: all links, or such as "tag spring, country:DE". */
function describeChoice({ code, tag, search, filter }: Choice): string {
  const links = Object.entries({ link: code, tag, search }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value}`],
  );
  return [...(links.length > 0 ? links : ['all links']), ...(filter ? [filter] : [])].join(', ');
}
