import type { Problem } from '../state/problems.ts';
import { session } from '../state/services.ts';
import { Button } from './button.tsx';

/** What failed and what to do, with a button for it. */
export function ProblemNotice({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  const { title, remedy, action } = problem;
  // The notice at the top already says it.
  if (action === 'sign-in') return null;
  return (
    <div class="notice" role="alert">
      <div>
        <strong>{title}</strong> {remedy}
      </div>
      {action === 'back' ? (
        <a class="button" href="#/">
          To your links
        </a>
      ) : (
        <Button onClick={onRetry}>Try again</Button>
      )}
    </div>
  );
}

/** Says that the numbers aren't updated until the viewer signs in again. */
export function ExpiredNotice() {
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
