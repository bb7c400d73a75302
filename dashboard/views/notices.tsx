import type { Problem } from '../state/problems.ts';
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
