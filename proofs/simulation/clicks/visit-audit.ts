import type { Click, Report } from './click.ts';

/** Checks that each redirected visitor's click goes somewhere, under one id that no other click has. */
export class VisitAudit {
  readonly #report: Report;
  readonly #clickOfVisit = new Map<string, string>();
  readonly #visitOfClick = new Map<string, string>();
  readonly #redirected = new Set<string>();
  readonly #taken = new Set<string>();

  constructor(report: Report) {
    this.#report = report;
  }

  /** The resolver tries to send a visit's click. */
  onSending(visit: string, { id }: Click): void {
    const earlier = this.#clickOfVisit.get(visit) ?? id;
    if (earlier !== id) this.#report('counted twice', 'a visit has two click ids', [visit, id]);
    this.#clickOfVisit.set(visit, id);
    const other = this.#visitOfClick.get(id) ?? visit;
    if (other !== visit) this.#report('repeated id', 'two visits have one click id', [visit, id]);
    this.#visitOfClick.set(id, visit);
  }

  /** The bus or the queue accepted a click, or the resolver logged it. */
  onAccepted({ id }: Click): void {
    this.#taken.add(id);
  }

  onRedirected(visit: string): void {
    this.#redirected.add(visit);
  }

  checkEnd(): void {
    for (const visit of this.#redirected) {
      if (this.#taken.has(this.#clickOfVisit.get(visit) ?? '')) continue;
      this.#report('vanished', 'a visitor was redirected, but the click went nowhere', [visit]);
    }
  }
}
