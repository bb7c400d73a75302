import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { makeHttpEvent } from '../kit/http-events.ts';
import { makeContext } from '../kit/lambda-context.ts';
import type { Auditor } from './auditor.ts';
import type { Code } from './code.ts';
import { clickOfEvent } from './event-bus.ts';
import type { Faults } from './faults.ts';
import { type Process, type Role, runAs } from './process.ts';
import type { Trace } from './trace.ts';
import type { VirtualTime } from './virtual-time.ts';

const apiTimeoutMs = 5_000;

type Api = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<{ statusCode?: number; body?: string }>;

type Answer = { statusCode?: number; body?: string } | undefined;

export interface FrontDoorParts {
  code: Code;
  time: VirtualTime;
  faults: Faults;
  trace: Trace;
  auditor: Auditor;
}

/** The HTTP API: visitors open links, owners create them and read their statistics. */
export class FrontDoor {
  readonly #parts: FrontDoorParts;
  /** Events that the resolver could publish nowhere and logged, for operators to send. */
  readonly unpublished: unknown[] = [];
  #sequence = 0;

  constructor(parts: FrontDoorParts) {
    this.#parts = parts;
  }

  visit(code: string): void {
    const { code: service, auditor } = this.#parts;
    this.#call('resolver', service.resolveLink, { pathParameters: { code } }, (answer, name) => {
      if (answer?.statusCode === 302) auditor.onVisited(name);
    });
  }

  /** Creates a link, again and again until the service says that it is there. */
  createLink(code: string, onCreated: () => void = () => {}): void {
    const body = JSON.stringify({ url: `https://example.com/${code}`, code });
    this.#call('creator', this.#parts.code.createLink, { body }, (answer) => {
      if (answer?.statusCode === 201 || answer?.statusCode === 409) onCreated();
      else this.#parts.time.after(1_000, () => this.createLink(code, onCreated));
    });
  }

  readStatistics(code: string, onAnswer: (body: string | undefined) => void): void {
    const { getLinkStats } = this.#parts.code;
    this.#call('reader', getLinkStats, { pathParameters: { code } }, (answer) =>
      onAnswer(answer?.body),
    );
  }

  /** The resolver logged an event whole, since neither bus nor queue took it. */
  onUnpublished({ name }: Process, event: unknown): void {
    this.#parts.auditor.onVisitTaken(name, clickOfEvent(JSON.stringify(event)));
    this.unpublished.push(event);
  }

  // Each call has a process of its own; one that dies or is late gives no answer.
  #call(
    role: Role,
    handler: Api,
    event: Partial<APIGatewayProxyEventV2>,
    onAnswer: (answer: Answer, name: string) => void,
  ): void {
    const { time, trace } = this.#parts;
    const name = `${role}-${this.#sequence++}`;
    let isOver = false;
    const end = (answer: Answer) => {
      if (isOver) return;
      isOver = true;
      trace.note(() => `${name}: answers ${answer?.statusCode}`);
      onAnswer(answer, name);
    };
    const process: Process = { name, role, dead: false, frozenUntilMs: 0 };
    time.after(apiTimeoutMs, () => {
      if (!isOver) process.dead = true;
      end(undefined);
    });
    const context = makeContext(apiTimeoutMs, name);
    runAs(process, () => handler(makeHttpEvent(event), context)).then(end, () => end(undefined));
  }
}
