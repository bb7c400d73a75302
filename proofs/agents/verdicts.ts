import { isBot, readPlatform } from '../../lib/clicks/user-agent.ts';
import type { Agent, Collection } from './agent.ts';
import { tellsDevice, wrongInCollection } from './review.ts';

export interface Share {
  right: number;
  all: number;
}

interface WrongAgent {
  text: string;
  /** What it counts as. */
  as: string;
  /** Why the collection is wrong, if it is. */
  reason?: string;
}

/** How the agents of a collection are counted, apart from those that it sorts wrongly itself. */
export interface Verdicts {
  collection: Collection;
  bots: Share;
  people: Share;
  /** Of the people whose agents tell the device. */
  devices: Share;
  wrong: WrongAgent[];
}

export function judge(collection: Collection): Verdicts {
  const wrong: WrongAgent[] = [];
  const share = (agents: readonly Agent[], describe: (agent: Agent) => string | undefined) => {
    const failed = agents.flatMap((agent) => {
      const as = describe(agent);
      return as === undefined
        ? []
        : [{ text: agent.text, as, reason: findReason(collection, agent) }];
    });
    wrong.push(...failed);
    const left = failed.filter(({ reason }) => reason === undefined);
    const all = agents.length - (failed.length - left.length);
    return { all, right: all - left.length };
  };
  const [bots = [], people = []] = [true, false].map((kind) =>
    collection.agents.filter(({ isBot }) => isBot === kind),
  );
  const known = people.filter(({ text, device }) => device && tellsDevice(text, device));
  return {
    collection,
    bots: share(bots, ({ text }) => (isBot(text) ? undefined : 'person')),
    people: share(people, ({ text }) => (isBot(text) ? 'bot' : undefined)),
    devices: share(known, ({ text, device }) => {
      const platform = readPlatform(text);
      return platform === device ? undefined : `${platform}, not ${device}`;
    }),
    wrong,
  };
}

function findReason(collection: Collection, { text }: Agent): string | undefined {
  const found = wrongInCollection.find(
    ({ package: of, pattern }) => of === collection.package && pattern.test(text),
  );
  return found?.reason;
}
