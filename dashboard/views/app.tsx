import { useEffect, useRef } from 'preact/hooks';
import { hash, restoreScroll } from '../state/browser.ts';
import { parseRoute } from '../state/route.ts';
import { announcement, config, forgetAnnouncements, live, session } from '../state/services.ts';
import { TallyMark } from './brand.tsx';
import { Button } from './button.tsx';
import { LinkView } from './link.tsx';
import { LinksView } from './links.tsx';
import { LiveStatus } from './live-status.tsx';
import { ExpiredNotice } from './notices.tsx';
import { SignedOut } from './signed-out.tsx';

export function App() {
  const { value } = session.session;
  if (value.status === 'signed-out') return <SignedOut note={value.note} />;
  if (value.status === 'signed-in') return <SignedIn {...value} />;
  return (
    <main class="starting">
      <TallyMark />
      <p class="hidden">Signing in…</p>
    </main>
  );
}

function SignedIn({ isExpired, user }: { isExpired: boolean; user: string }) {
  const main = useRef<HTMLElement>(null);
  const route = parseRoute(hash.value);
  const view = route.view === 'link' ? route.code : '';
  const shownView = useRef(view);
  useEffect(live.start, []);
  useEffect(() => {
    if (view !== shownView.current) {
      shownView.current = view;
      forgetAnnouncements();
      main.current?.querySelector('h1')?.focus({ preventScroll: true });
    }
    return restoreScroll();
  }, [view]);
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
        <Button kind="quiet" onClick={session.signOut}>
          Sign out
        </Button>
      </header>
      <main ref={main}>
        {isExpired && <ExpiredNotice />}
        {route.view === 'link' ? <LinkView key={route.code} {...route} /> : <LinksView />}
      </main>
      <p class="hidden" role="status">
        {announcement}
      </p>
    </>
  );
}
