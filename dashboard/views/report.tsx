import { daysOf, hashOfOverview, type OverviewQuery } from '../overview-query.ts';
import { today } from '../state/browser.ts';
import { toParameters } from '../state/overview.ts';
import { api } from '../state/services.ts';
import { ActionNote, useDownload } from './actions.tsx';
import { Button } from './button.tsx';

const formats = { csv: 'Report as CSV', json: 'Report as JSON' };

/** The overview as a file, with campaigns, or on paper. */
export function Report({ query }: { query: OverviewQuery }) {
  const { note, save } = useDownload();
  const { from, to } = daysOf(query.range, today.value);
  const about = query.code ?? query.tag ?? query.search ?? 'all links';
  const only = query.filter ? ` ${query.filter.value}` : '';
  const name = `${(about + only).replace(/[^\p{L}\p{N} ._-]/gu, '_')} ${from} to ${to}`;
  const readAs = (format: string) => () =>
    api.readOverviewAs({ ...toParameters(query), values: 'true', visitors: 'true', format });
  return (
    <section class="downloads" aria-label="Report">
      <p class="buttons">
        {Object.entries(formats).map(([format, text]) => (
          <Button key={format} onClick={() => save(`${name}.${format}`, readAs(format))}>
            {text}
          </Button>
        ))}
        <Button onClick={() => print()}>Print</Button>
        {query.range !== 'last-month' && (
          <a class="button" href={hashOfOverview({ ...query, range: 'last-month' })}>
            Show last month
          </a>
        )}
      </p>
      <ActionNote note={note} />
    </section>
  );
}
