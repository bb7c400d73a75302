import { useEffect } from 'preact/hooks';
import { announcement, config, live, session } from '../state/app.ts';
import { hash } from '../state/browser.ts';
import { loadLinks } from '../state/links.ts';
import { parseRoute } from '../state/route.ts';
import { TallyMark } from './brand.tsx';
import { LinkView } from './link.tsx';
import { LinksView } from './links.tsx';
import { LiveStatus } from './live-status.tsx';
import { ProblemNotice } from './notices.tsx';
import { SignedOut } from './signed-out.tsx';

/** The whole page. */
export function App() {
  const { status } = session.session.value;
  if (status === 'starting') return <Starting />;
  return status === 'signed-out' ? <SignedOut /> : <SignedIn />;
}

function Starting() {
  return (
    <main class="starting">
      <TallyMark />
      <p class="hidden">Signing in…</p>
    </main>
  );
}

function SignedIn() {
  useEffect(live.start, []);
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
        <button type="button" class="button is-quiet" onClick={session.signOut}>
          Sign out
        </button>
      </header>
      <main>
        <Expired />
        {route.view === 'link' ? <LinkView key={route.code} code={route.code} /> : <LinksView />}
      </main>
      <p class="hidden" role="status">
        {announcement}
      </p>
    </>
  );
}

function Expired() {
  const { value } = session.session;
  if (value.status !== 'signed-in' || !value.isExpired) return null;
  const problem = {
    title: 'Your session has ended.',
    remedy: 'These numbers no longer change. Sign in again to go on where you were.',
    action: 'sign-in',
  } as const;
  return <ProblemNotice problem={problem} onRetry={loadLinks} />;
}
