import { isBot, readPlatform } from '../../lib/clicks/user-agent.ts';
import { tellsDevice, wrongInCollection } from './review.ts';
export function judge(collection) {
    const wrong = [];
    const share = (agents, describe) => {
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
    const [bots = [], people = []] = [true, false].map((kind) => collection.agents.filter(({ isBot }) => isBot === kind));
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
function findReason(collection, { text }) {
    const found = wrongInCollection.find(({ package: of, pattern }) => of === collection.package && pattern.test(text));
    return found?.reason;
}
