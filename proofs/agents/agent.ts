/** A user agent, as its collection sorts it. */
export interface Agent {
  text: string;
  isBot: boolean;
  /** Undefined if the collection doesn't say, or if nobody could tell. */
  device?: string;
}

/** User agents that somebody else has collected and sorted, in a package on npm. */
export interface Collection {
  package: string;
  version: string;
  agents: Agent[];
}
