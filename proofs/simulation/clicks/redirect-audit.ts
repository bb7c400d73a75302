import type { Settings } from '../stage-settings.ts';
import type { Report } from './click.ts';

/** A visitor's answer, from an instance of the resolver. */
export interface VisitAnswer {
  visit: string;
  instance: string;
  code: string;
  fromMs: number;
  statusCode: number;
}

/** What the auditor may expect of an answer. */
interface Circumstances {
  /** When the link was deleted, according to the table. */
  deletedAtMs: number | undefined;
  /** Whether all links stay as they are. */
  isSteady: boolean;
  /** Whether no instance freezes. */
  isTimed: boolean;
}

/** The maximum wait for a link that the instance knows, and what the network may add to it. */
const maxWaitMs = 1_000;
const transitMs = 100;
const cacheMs = 30_000;

/** Checks that links which an instance knows keep redirecting, in time and not for too long. */
export class RedirectAudit {
  readonly #report: Report;
  readonly #staleMs: number;
  readonly #now: () => number;
  /** When an instance first redirected a code. It read it then, or later. */
  readonly #knownSince = new Map<string, number>();

  constructor(report: Report, { staleLinkSeconds }: Settings, now: () => number) {
    this.#report = report;
    this.#staleMs = staleLinkSeconds * 1_000;
    this.#now = now;
  }

  onAnswer(answer: VisitAnswer, { deletedAtMs, isSteady, isTimed }: Circumstances): void {
    const { visit, instance, code, fromMs, statusCode } = answer;
    const key = `${instance} ${code}`;
    const knownSinceMs = this.#knownSince.get(key);
    const isKnown = knownSinceMs !== undefined && this.#now() < knownSinceMs + this.#staleMs;
    if (isKnown && isSteady && statusCode !== 302) {
      this.#report('dead link', 'a known link did not redirect', [visit, key]);
    }
    if (isKnown && isTimed && this.#now() - fromMs > maxWaitMs + transitMs) {
      this.#report('slow visit', 'a visitor of a known link waited for too long', [visit, key]);
    }
    if (statusCode !== 302) return;
    if (deletedAtMs !== undefined && fromMs > deletedAtMs + cacheMs + this.#staleMs) {
      this.#report('undead link', 'a link redirected long after its deletion', [visit, key]);
    }
    if (knownSinceMs === undefined) this.#knownSince.set(key, fromMs);
  }
}
