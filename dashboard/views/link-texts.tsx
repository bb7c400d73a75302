import type { LinkAnswer } from '../../lib/links/answer-schemas.ts';
import { lineFields, lines } from '../../lib/links/link-fields.ts';
import { hashOfList } from '../state/route.ts';

/** A link's title. A text of another direction doesn't reorder its neighbours. */
export function Title({ link: { title } }: { link: LinkAnswer }) {
  return title ? (
    <bdi class="title" title={title}>
      {title}
    </bdi>
  ) : null;
}

/** A link's other lines. */
export function Lines({ link }: { link: LinkAnswer }) {
  const names = lineFields.filter((name) => name !== 'title' && link[name]);
  return names.map((name) => (
    <p key={name} class="muted">
      {lines[name].label}: <bdi>{link[name]}</bdi>
    </p>
  ));
}

/** A link's tags. Each leads to the list of links that have it. */
export function Tags({ link: { tags } }: { link: LinkAnswer }) {
  if (!tags) return null;
  return (
    <ul class="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <a class="tag" href={hashOfList(tag)} title={tag}>
            <bdi>{tag}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}
