import { makeHttpEvent } from '../../../fixtures/http-events.ts';
import type { InvocationEnd, LambdaFunction } from '../lambda.ts';
import type { Surroundings } from '../surroundings.ts';
import { clickOfEvent } from './click.ts';
import type { VisitAudit } from './visit-audit.ts';

interface HttpAnswer {
  statusCode?: number;
}

type ApiRole = 'creator' | 'resolver';

interface ApiParts {
  functionOf: (role: ApiRole) => Pick<LambdaFunction, 'invoke'>;
  visits: VisitAudit;
}

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
/** A person on a computer, one who follows a link on a phone, and a program. */
const visitors: Record<string, string>[] = [
  { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0' },
  { 'user-agent': iphone, referer: 'https://www.google.com/' },
  { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
];

/** The HTTP API: visitors open links, and owners create them. */
export class HttpApi {
  readonly #surroundings: Surroundings;
  readonly #parts: ApiParts;
  /** Events that the resolver couldn't publish and logged, for operators to send. */
  readonly unpublished: unknown[] = [];
  #sequence = 0;

  constructor(surroundings: Surroundings, parts: ApiParts) {
    this.#surroundings = surroundings;
    this.#parts = parts;
  }

  visit(code: string): void {
    const own = visitors[this.#sequence % visitors.length];
    const headers = { host: 'go.example.com', 'x-forwarded-proto': 'https', ...own };
    const visit = this.#call('resolver', { pathParameters: { code }, headers }, (status) => {
      if (status === 302) this.#parts.visits.onRedirected(visit);
    });
  }

  /** Creates a link. Retries until the service confirms it. */
  createLink(code: string, onCreated: () => void = () => {}): void {
    const body = JSON.stringify({ url: `https://example.com/${code}`, code });
    this.#call('creator', { body }, (status) => {
      if (status === 201 || status === 409) onCreated();
      else this.#surroundings.time.after(1_000, () => this.createLink(code, onCreated));
    });
  }

  /** The resolver logged a whole event, because neither bus nor queue accepted it. */
  onUnpublished(event: unknown): void {
    this.#parts.visits.onTaken(clickOfEvent(JSON.stringify(event)));
    this.unpublished.push(event);
  }

  // Returns the name of the invocation.
  #call(
    role: ApiRole,
    event: Parameters<typeof makeHttpEvent>[0],
    onAnswer: (status: number | undefined) => void,
  ): string {
    const invocation = `${role} request-${this.#sequence++}`;
    const onEnd = (end: InvocationEnd) =>
      onAnswer('answer' in end ? (end.answer as HttpAnswer | undefined)?.statusCode : undefined);
    this.#parts.functionOf(role).invoke(invocation, makeHttpEvent(event), onEnd);
    return invocation;
  }
}
