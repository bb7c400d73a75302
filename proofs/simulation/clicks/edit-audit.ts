import type { AttributeValue, Item } from '../../../fixtures/dynamodb-items.ts';
import type { Change } from '../dynamodb/item-store.ts';
import type { Report } from '../queue-auditor.ts';

/** What a link said from one commit to the next. */
interface Version {
  fromMs: number;
  url: string;
  /** Infinity for a link that doesn't expire. */
  expiresMs: number;
}

interface Answered {
  visit: string;
  code: string;
  /** Undefined if the visitor got 410. */
  location?: string;
  cameMs: number;
  answeredMs: number;
}

/** How long resolve-link caches a URL, and a request that fills the cache may take with all its retries. */
const staleMs = 30_000 + 10_000;

/** Checks that visitors get what their link says: its URL until it expires, and then 410. */
export class EditAudit {
  readonly #now: () => number;
  readonly #report: Report;
  /** By the link's key. */
  readonly #versions = new Map<string, Version[]>();

  constructor(now: () => number, report: Report) {
    this.#now = now;
    this.#report = report;
  }

  onCommit(changes: Change[]): void {
    for (const { key, before, after } of changes) {
      if (!key.endsWith(',"META"]')) continue;
      const { url, expiresAt } = readTexts(after);
      const previous = before && readTexts(before);
      if (previous?.url === url && previous?.expiresAt === expiresAt) continue;
      const expiresMs = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
      const version = { fromMs: this.#now(), url: url ?? '', expiresMs };
      this.#versions.set(key, [...(this.#versions.get(key) ?? []), version]);
    }
  }

  /** A visitor was redirected or got 410. */
  onAnswered(answered: Answered): void {
    const { visit, code, location, cameMs, answeredMs } = answered;
    const sinceMs = cameMs - staleMs;
    const valid = this.#listVersions(code, sinceMs, answeredMs).some(
      ({ url, fromMs, expiresMs }) =>
        location === undefined
          ? expiresMs <= answeredMs
          : url === location && expiresMs > Math.max(fromMs, sinceMs),
    );
    if (valid) return;
    const got = location ?? '410';
    this.#report('edit', `${code} did not say ${got}, but the visitor got it`, [visit, code]);
  }

  /** The versions that were in force between two times. */
  #listVersions(code: string, sinceMs: number, untilMs: number): Version[] {
    const all = this.#versions.get(JSON.stringify([`LINK#${code}`, 'META'])) ?? [];
    return all.filter(
      ({ fromMs }, index) => fromMs <= untilMs && (all[index + 1]?.fromMs ?? untilMs) >= sinceMs,
    );
  }
}

function readTexts({ url, expiresAt }: Item) {
  const read = (value?: AttributeValue) => (value && 'S' in value ? value.S : undefined);
  return { url: read(url), expiresAt: read(expiresAt) };
}
