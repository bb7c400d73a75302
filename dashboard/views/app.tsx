import { useEffect, useRef, useState } from 'preact/hooks';
import { hash, restoreScroll } from '../state/browser.ts';
import type { LiveState } from '../state/live.ts';
import { parseRoute } from '../state/route.ts';
import { announcement, config, forgetAnnouncements, live, session } from '../state/services.ts';
import { Button } from './button.tsx';
import { LazyView } from './lazy-view.tsx';
import { LinkView } from './link-page.tsx';
import { LinksView } from './links.tsx';

const loadApiKeys = async () => (await import('./lazy-views.ts')).ApiKeys;
const loadOverviewView = async () => (await import('./lazy-views.ts')).OverviewView;

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
  const [areKeysOpen, setKeysOpen] = useState(false);
  const route = parseRoute(hash.value);
  const view = route.view === 'link' ? route.code : route.view;
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
        <Button kind="quiet" onClick={() => setKeysOpen(true)}>
          API keys
        </Button>
        <Button kind="quiet" onClick={session.signOut}>
          Sign out
        </Button>
      </header>
      <main ref={main}>
        {isExpired && <ExpiredNotice />}
        {areKeysOpen && (
          <LazyView
            load={loadApiKeys}
            shows={(ApiKeys) => <ApiKeys onClose={() => setKeysOpen(false)} />}
          />
        )}
        {route.view === 'link' && <LinkView key={route.code} {...route} />}
        {route.view === 'overview' && (
          <LazyView load={loadOverviewView} shows={(View) => <View {...route} />} />
        )}
        {route.view === 'links' && <LinksView />}
      </main>
      <p class="hidden" role="status">
        {announcement}
      </p>
    </>
  );
}

const texts: Record<LiveState, string> = {
  connecting: 'Connecting',
  loading: 'Loading…',
  slow: 'Still loading. The service is slow to respond.',
  live: 'Live',
  behind: 'Behind. Refreshing every few seconds.',
  failing: 'Not updated. Retrying every few seconds.',
  expired: 'Not updated. Sign in again.',
  offline: 'Offline. Updates resume automatically.',
};

/** Whether the numbers update automatically. It rarely changes, so screen readers announce it. */
function LiveStatus() {
  const state = live.state.value;
  return (
    <p class={`live-status is-${state}`} role="status">
      <span class="live-dot" />
      {texts[state]}
    </p>
  );
}

/** Says that the numbers aren't updated until the viewer signs in again. */
function ExpiredNotice() {
  return (
    <div class="notice" role="alert">
      <div>
        <strong>Your session has ended.</strong> These numbers are no longer updated. Sign in again
        to continue where you left off.
      </div>
      <Button onClick={session.signIn}>Sign in again</Button>
    </div>
  );
}

/** The welcome page, with the button to sign in. */
function SignedOut({ note }: { note?: string }) {
  return (
    <main class="welcome">
      <TallyMark />
      <h1>Every click on your links, counted exactly&nbsp;once.</h1>
      <p class="lead">See each one the moment it's counted.</p>
      {note && (
        <p class="welcome-note" role="alert">
          {note}
        </p>
      )}
      <button type="button" class="button is-primary is-large" onClick={session.signIn}>
        Sign in
      </button>
      <p class="welcome-foot">click-tally{config.stage !== 'prod' && ` · ${config.stage}`}</p>
    </main>
  );
}

/** A tally mark: four strokes, and a fifth across them. */
function TallyMark() {
  return (
    <svg class="tally-mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M7 6v20M13 6v20M19 6v20M25 6v20" />
      <path class="fifth" d="M3 23 29 9" />
    </svg>
  );
}
