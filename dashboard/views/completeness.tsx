import { useEffect } from 'preact/hooks';
import { formatCount } from '../format.ts';
import { backlog, followBacklog } from '../state/backlog.ts';
import { config, session } from '../state/services.ts';

const oldMs = 30_000;

/** The number of clicks counted, on their way and set aside, which together are all clicks. */
export function Completeness({ counted }: { counted: number }) {
  useEffect(followBacklog, []);
  const { value } = backlog;
  return (
    <div class="completeness">
      <p>
        <span>
          <b>{formatCount(counted)}</b> counted
        </span>
        <span>
          <b>{value ? formatCount(value.waiting) : '–'}</b> on their way
        </span>
        <span class={value && value.setAside > 0 ? 'has-set-aside' : ''}>
          <b>{value ? formatCount(value.setAside) : '–'}</b> set aside
          <Runbook />
        </span>
      </p>
      <details class="explanation">
        <summary>What is this?</summary>
        <p>
          Counted: clicks on the links you see here. On their way: clicks across the whole service
          that are waiting to be counted. Set aside: messages that can't be counted as they are.
          They are kept for an operator, who sees the reason and can resend them.
          {value && isOld(value.readAt) && ` The queues were last read at ${toTime(value.readAt)}.`}
        </p>
      </details>
    </div>
  );
}

function Runbook() {
  const { value } = session.session;
  if (value.status !== 'signed-in' || !value.isOperator || !config.runbookUrl) return null;
  return (
    <a class="runbook" href={config.runbookUrl} target="_blank" rel="noreferrer">
      runbook
    </a>
  );
}

function isOld(readAt: string): boolean {
  return Date.now() - Date.parse(readAt) > oldMs;
}

function toTime(instant: string): string {
  return `${instant.slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm:ss'.length)} UTC`;
}
