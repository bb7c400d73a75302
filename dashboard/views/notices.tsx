import type { Problem } from '../state/problems.ts';
import { session } from '../state/services.ts';

/** What failed and what to do, with a button for it. */
export function ProblemNotice({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  // The notice at the top already says it.
  if (problem.action === 'sign-in') return null;
  return (
    <div class="notice" role="alert">
      <div>
        <strong>{problem.title}</strong> {problem.remedy}
      </div>
      <ProblemAction problem={problem} onRetry={onRetry} />
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
      <button type="button" class="button" onClick={session.signIn}>
        Sign in again
      </button>
    </div>
  );
}

function ProblemAction({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  if (problem.action === 'back') {
    return (
      <a class="button" href="#/">
        To your links
      </a>
    );
  }
  return (
    <button type="button" class="button" onClick={onRetry}>
      Try again
    </button>
  );
}
