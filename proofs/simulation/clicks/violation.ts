/** A broken invariant. */
export interface Violation {
  kind: string;
  text: string;
  /** The ids concerned, to find its history in a trace. */
  about: string[];
}

export type Report = (kind: string, text: string, about: string[]) => void;
