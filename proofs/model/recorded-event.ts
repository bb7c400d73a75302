/** A click as far as the model knows it. */
export interface TracedClick {
  id: string;
  code: string;
  day: string;
}

/** One step, with the names that the world uses. */
export interface RecordedEvent {
  timeMs: number;
  kind: string;
  values: {
    message?: string;
    click?: TracedClick;
    invocation?: string;
    instance?: string;
    token?: string;
    code?: string;
    day?: string;
    sheet?: string;
    positions?: number[];
    refusals?: Refusals;
    isHeard?: boolean;
    number?: number;
  };
}

/** What a cancellation tells of each message, by position in its batch. */
export interface Refusals {
  /** Its marker exists, and the answer has it. */
  shown: number[];
  /** Its marker exists, but the answer lacks it. */
  bare: number[];
  /** Its link cannot be raised. */
  refused: number[];
  contended: number[];
}
