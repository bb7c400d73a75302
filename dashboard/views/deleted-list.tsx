import { useEffect, useState } from 'preact/hooks';
import type { LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import { countOf, formatTime, shortenUrl } from '../format.ts';
import { lastDeleted, readDeleted } from '../state/deleted-links.ts';
import { ActionNote, report } from './actions.tsx';
import { Button } from './button.tsx';
import { useRestore } from './deleted-note.tsx';

/** The deleted links, each with a button that restores it. */
export function DeletedLinks() {
  const [deleted, setDeleted] = useState<LinkAnswer[]>();
  const { note, restore } = useRestore();
  useEffect(() => {
    report(note, "The deleted links couldn't be loaded.", async () =>
      setDeleted(await readDeleted()),
    );
  }, [lastDeleted.value]);
  const bringBack = async (code: string) => {
    if (await restore(code)) setDeleted((all) => all?.filter((link) => link.code !== code));
  };
  return (
    <>
      <ActionNote note={note} />
      <p class="muted">
        {deleted?.length === 0
          ? 'There are none. Links stay here for 90 days after you delete them.'
          : 'They stay here for 90 days after you delete them.'}
      </p>
      <ul class="deleted">
        {deleted?.map(({ code, url, clicks, deletedAt = '' }) => (
          <li key={code}>
            <div>
              <p class="link-code">{code}</p>
              <p class="muted">
                <span title={url}>{shortenUrl(url)}</span> · {countOf(clicks, 'click')} · deleted{' '}
                {formatTime(deletedAt)}
              </p>
            </div>
            <Button aria-label={`Restore ${code}`} onClick={() => bringBack(code)}>
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
