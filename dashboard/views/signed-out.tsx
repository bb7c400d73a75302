import { config, session } from '../state/services.ts';
import { TallyMark } from './brand.tsx';

/** The welcome page, with the button to sign in. */
export function SignedOut({ note }: { note?: string }) {
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
