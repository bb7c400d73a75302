import type { Columns, Meaning } from '../../lib/links/import-export/import-columns.ts';
import type { CsvRecord } from '../../lib/links/import-export/import-file.ts';
import type { Row } from '../../lib/links/import-export/import-rows.ts';
import { countOf } from '../format.ts';
import { changeColumn } from '../state/import.ts';
import { labels } from './form-fields.tsx';

const shownRows = 3;
// A file may have a thousand, most of which an owner doesn't need to see.
const shownColumns = 100;

const meanings: Record<Exclude<Meaning, 'custom' | 'clicks' | 'created'>, string> = {
  url: 'Destination',
  code: 'Code',
  ...labels,
  expiresAt: 'Expiry',
  disabled: 'Disabled',
  forwardQuery: "Adds the visitor's query",
};
/** Those that only a service's export has. */
const ofServices: Partial<Record<Meaning, string>> = {
  custom: 'Code, where it is filled',
  clicks: 'Note (clicks)',
  created: 'Note (date)',
};

/** What each column of a file is imported as, which the viewer can change. */
export function ImportColumns({ columns, records }: { columns: Columns; records: CsvRecord[] }) {
  const { names, positions } = columns;
  const options = Object.entries(meanings).concat(
    Object.entries(ofServices).filter(([name]) => positions[name as Meaning] !== -1),
  );
  const meaningOf = (index: number) =>
    Object.entries(positions).find(([, position]) => position === index)?.[0] ?? '';
  const others = names.length - shownColumns;
  return (
    <>
      <div class="columns">
        <table aria-label="Columns">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">First value</th>
              <th scope="col">Imported as</th>
            </tr>
          </thead>
          <tbody>
            {names.slice(0, shownColumns).map((name, index) => (
              // Two columns may have the same name.
              <tr key={index}>
                <th scope="row">{name || `Column ${index + 1}`}</th>
                <td>{findSample(records, index)}</td>
                <td>
                  <select
                    aria-label={`Import ${name || `column ${index + 1}`} as`}
                    value={meaningOf(index)}
                    onChange={({ currentTarget }) =>
                      changeColumn(index, (currentTarget.value || undefined) as Meaning)
                    }
                  >
                    <option value="">Not imported</option>
                    {options.map(([value, label]) => (
                      <option key={value} value={value}>
                        {label}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {others > 0 && <p class="muted">{countOf(others, 'more column')} can't be changed here.</p>}
    </>
  );
}

/** A column's first cell that isn't empty. */
function findSample(records: CsvRecord[], index: number): string {
  const record = records.slice(1).find(({ cells }) => cells[index]);
  return record?.cells[index]?.slice(0, 200) ?? '–';
}

/** The first links as the import would create them. */
export function FirstLinks({ rows }: { rows: Row[] }) {
  const first = rows.slice(0, shownRows);
  if (first.length === 0) return null;
  return (
    <ul class="first-links" aria-label="First links">
      {first.map(({ line, code, url, title, tags, note, expiresAt }) => (
        <li key={line}>
          <b>{code ?? 'A new code'}</b> leads to <bdi>{url || 'nothing'}</bdi>
          <span class="muted">
            {[title, tags?.join(', '), note, expiresAt]
              .filter(Boolean)
              .map((text) => ` · ${text}`)
              .join('')}
          </span>
        </li>
      ))}
    </ul>
  );
}
