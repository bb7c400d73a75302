import { signal } from '@preact/signals';
import type { LinkAnswer } from '../../lib/links/api/answer-schemas.ts';
import type { UpdateLinkRequest } from '../../lib/links/api/link-request.ts';
import { chosen, chosenCodes } from './chosen-links.ts';
import { takeCounts } from './counts.ts';
import { links, setLinks } from './links.ts';
import { explainAction } from './problems.ts';
import { finishBeforeLeaving, retryWhenThrottled } from './requests.ts';
import { api } from './services.ts';

const requestsAtOnce = 4;
/** Each time that the list is shown anew costs it a sort. */
const shownAtOnce = 20;

/** What to do with each chosen link. The API checks the values. */
export type BulkAction =
  | { kind: 'tag' | 'untag'; tag: string }
  | { kind: 'disable' | 'enable' | 'delete' }
  | { kind: 'expire'; expiresAt: string | null };

type Change = UpdateLinkRequest | 'delete' | 'restore';

export interface BulkRun {
  isRunning: boolean;
  isUndo: boolean;
  kind: BulkAction['kind'];
  total: number;
  changed: number;
  unchanged: number;
  failures: { code: string; reason: string }[];
  /** What undoes the changes so far, by code. */
  undo: Map<string, Change>;
}

/** The newest run, which continues when the viewer opens another view. */
export const bulkRun = signal<BulkRun>();

/** What an action changes in a link, or nothing if the link is like that already. */
function describeChange(action: BulkAction, link: LinkAnswer): Change | undefined {
  const { tags = [], disabled, expiresAt = null } = link;
  switch (action.kind) {
    case 'delete':
      return 'delete';
    case 'disable':
      return disabled ? undefined : { disabled: true };
    case 'enable':
      return disabled ? { disabled: false } : undefined;
    case 'expire':
      return expiresAt === action.expiresAt ? undefined : { expiresAt: action.expiresAt };
    default:
      return describeTags(action, tags);
  }
}

function describeTags({ kind, tag }: { kind: string; tag: string }, tags: string[]) {
  const isSame = (other: string) => other.toLowerCase() === tag.trim().toLowerCase();
  const has = tags.some(isSame);
  if (has === (kind === 'tag')) return undefined;
  const next = kind === 'tag' ? [...tags, tag] : tags.filter((other) => !isSame(other));
  // Another tag that was added meanwhile isn't lost.
  return { tags: next, expected: { tags: tags.length > 0 ? tags : null } };
}

/** The change that brings a link back to what it was. `now` is the link after the change. */
function describeUndo(change: Change, before: LinkAnswer, now?: LinkAnswer): Change {
  if (change === 'delete') return 'restore';
  if (change === 'restore') return 'delete';
  const { tags, expiresAt = null, disabled } = before;
  if (change.tags !== undefined)
    return { tags: tags ?? null, expected: { tags: now?.tags ?? null } };
  return change.disabled === undefined ? { expiresAt } : { disabled };
}

/** Changes the chosen links, and says in {@link bulkRun} what was done. Those that failed stay chosen. */
export function applyToChosen(action: BulkAction): Promise<void> {
  const targets = chosen.peek().map((link) => ({ link, change: describeChange(action, link) }));
  return run(action.kind, false, targets);
}

/** Undoes the newest run. */
export function undoBulk(): Promise<void> {
  const { undo, kind } = bulkRun.peek() ?? {};
  if (!undo || !kind) return Promise.resolve();
  const current = new Map((links.peek() ?? []).map((link) => [link.code, link]));
  const targets = [...undo].map(([code, change]) => {
    const link = current.get(code) ?? ({ code } as LinkAnswer);
    return { link, change };
  });
  return run(kind, true, targets);
}

interface Target {
  link: LinkAnswer;
  change?: Change;
}

async function run(kind: BulkRun['kind'], isUndo: boolean, targets: Target[]): Promise<void> {
  if (bulkRun.peek()?.isRunning) return;
  const start = { kind, isUndo, total: targets.length, changed: 0, unchanged: 0 };
  bulkRun.value = { ...start, isRunning: true, failures: [], undo: new Map() };
  const waiting = targets.values();
  const ready = new Map<string, LinkAnswer | undefined>();
  const showReady = () => {
    setLinks(ready);
    ready.clear();
  };
  const work = async () => {
    // All loops take from the same iterator.
    for (const { link, change } of waiting) {
      if (change) await apply(link, change, ready);
      else add(({ unchanged }) => ({ unchanged: unchanged + 1 }));
      if (ready.size >= shownAtOnce) showReady();
    }
  };
  await finishBeforeLeaving(() => Promise.all(Array.from({ length: requestsAtOnce }, work)));
  showReady();
  add(() => ({ isRunning: false }));
  chosenCodes.value = new Set(bulkRun.peek()?.failures.map(({ code }) => code));
}

function add(change: (before: BulkRun) => Partial<BulkRun>): void {
  const before = bulkRun.peek();
  if (before) bulkRun.value = { ...before, ...change(before) };
}

async function apply(link: LinkAnswer, change: Change, ready: Map<string, LinkAnswer | undefined>) {
  const { code } = link;
  try {
    const now = await retryWhenThrottled(() => send(code, change));
    ready.set(code, now);
    add(({ changed, undo }) => ({
      changed: changed + 1,
      undo: new Map(undo).set(code, describeUndo(change, link, now)),
    }));
  } catch (error) {
    const reason = explainAction("The service didn't confirm the change.", error);
    add(({ failures }) => ({ failures: [...failures, { code, reason }] }));
  }
}

async function send(code: string, change: Change): Promise<LinkAnswer | undefined> {
  if (change === 'delete') {
    await api.deleteLink(code);
    return undefined;
  }
  if (change !== 'restore') return api.updateLink(code, change);
  const link = await api.restoreLink(code);
  takeCounts(code, { ...link, days: [] });
  return link;
}
