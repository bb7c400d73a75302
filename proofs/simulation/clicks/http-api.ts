import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import type { Random } from '../../../fixtures/random.ts';
import type { Role } from '../instance.ts';
import type { World } from '../world.ts';
import { clickOfEvent } from './click.ts';
import type { VisitAudit } from './visit-audit.ts';
import { visitors } from './visitors.ts';

type HttpAnswer =
  | { statusCode?: number; headers?: Record<string, string>; body?: string }
  | undefined;

const comesAgainAfterMs = 10_000;

/** The HTTP API: visitors open links, owners create and edit them and read their statistics. */
export class HttpApi {
  readonly #world: World;
  readonly #visits: VisitAudit;
  readonly #random: Random;
  /** Events that the resolver couldn't publish and logged, for operators to send. */
  readonly unpublished: unknown[] = [];
  #sequence = 0;

  constructor(world: World, visits: VisitAudit) {
    this.#world = world;
    this.#visits = visits;
    this.#random = world.random('visitors');
  }

  /** A visitor who gets 404 tries once more a little later. */
  visit(code: string, visitor = this.#random.pick(visitors), triesAgain = true): void {
    const { time } = this.#world;
    const cameMs = time.nowMs;
    const { method, headers } = visitor;
    const onAnswer = (answer: HttpAnswer) => {
      if (answer?.statusCode === 302) this.#visits.onRedirected(visit);
      if (answer?.statusCode === 410) this.#visits.onGone(visit);
      if (answer?.statusCode === 302 || answer?.statusCode === 410) {
        const { location } = answer.headers ?? {};
        const answered = { visit, code, location, cameMs, answeredMs: time.nowMs };
        this.#visits.edits.onAnswered(answered);
      }
      if (answer?.statusCode !== 404) return;
      this.#visits.onNotFound(visit, code, cameMs);
      if (triesAgain) time.after(comesAgainAfterMs, () => this.visit(code, visitor, false));
    };
    const visit = this.#call('resolver', { pathParameters: { code }, headers }, onAnswer, method);
    this.#visits.onVisit(visit, visitor);
  }

  /** Creates a link. Retries until the service confirms it. */
  createLink(code: string, onCreated: () => void = () => {}): void {
    const body = JSON.stringify({ url: `https://example.com/${code}`, code });
    this.#call('creator', { body }, (answer) => {
      if (answer?.statusCode === 201 || answer?.statusCode === 409) onCreated();
      else this.#world.time.after(1_000, () => this.createLink(code, onCreated));
    });
  }

  /** Edits a link. Retries until the service confirms it, or an expiry is in the past by then. */
  editLink(code: string, change: object): void {
    const event = { pathParameters: { code }, body: JSON.stringify(change) };
    this.#call('editor', event, (answer) => {
      if (answer?.statusCode !== 200 && answer?.statusCode !== 400) {
        this.#world.time.after(1_000, () => this.editLink(code, change));
      }
    });
  }

  readStatistics(code: string, onAnswer: (body: string | undefined) => void): void {
    this.#call('reader', { pathParameters: { code } }, (answer) => onAnswer(answer?.body));
  }

  /** The resolver logged a whole event, because neither bus nor queue accepted it. */
  onUnpublished(event: unknown): void {
    this.#visits.onTaken(clickOfEvent(JSON.stringify(event)));
    this.unpublished.push(event);
  }

  // Returns the name of the invocation.
  #call(
    role: Role,
    event: Parameters<typeof makeHttpEvent>[0],
    onAnswer: (answer: HttpAnswer) => void,
    method?: string,
  ): string {
    const invocation = `${role} request-${this.#sequence++}`;
    this.#world
      .functionOf(role)
      .invoke(invocation, makeHttpEvent(event, { method }), (end) =>
        onAnswer('answer' in end ? (end.answer as HttpAnswer) : undefined),
      );
    return invocation;
  }
}
