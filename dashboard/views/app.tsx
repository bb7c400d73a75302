import { useEffect, useRef } from 'preact/hooks';
import { hash } from '../state/browser.ts';
import { parseRoute } from '../state/route.ts';
import { announcement, config, forgetAnnouncements, live, session } from '../state/services.ts';
import { TallyMark } from './brand.tsx';
import { LinkView } from './link.tsx';
import { LinksView } from './links.tsx';
import { LiveStatus } from './live-status.tsx';
import { ExpiredNotice } from './notices.tsx';
import { SignedOut } from './signed-out.tsx';

export function App() {
  const { value } = session.session;
  if (value.status === 'starting') return <Starting />;
  return value.status === 'signed-out' ? <SignedOut note={value.note} /> : <SignedIn {...value} />;
}

function Starting() {
  return (
    <main class="starting">
      <TallyMark />
      <p class="hidden">Signing in…</p>
    </main>
  );
}

function SignedIn({ isExpired, user }: { isExpired: boolean; user: string }) {
  const main = useRef<HTMLElement>(null);
  const shownHash = useRef(hash.value);
  useEffect(live.start, []);
  useEffect(() => {
    if (hash.value === shownHash.current) return;
    shownHash.current = hash.value;
    forgetAnnouncements();
    main.current?.querySelector('h1')?.focus();
  }, [hash.value]);
  const route = parseRoute(hash.value);
  return (
    <>
      <header class="top">
        <a class="brand" href="#/" aria-label="click-tally: your links">
          <TallyMark />
          <span>click-tally</span>
        </a>
        {config.stage !== 'prod' && <span class="stage">{config.stage}</span>}
        <LiveStatus />
        <span class="user" title={`Signed in as ${user}`}>
          {user}
        </span>
        <button type="button" class="button is-quiet" onClick={session.signOut}>
          Sign out
        </button>
      </header>
      <main ref={main}>
        {isExpired && <ExpiredNotice />}
        {route.view === 'link' ? <LinkView key={route.code} code={route.code} /> : <LinksView />}
      </main>
      <p class="hidden" role="status">
        {announcement}
      </p>
    </>
  );
}
