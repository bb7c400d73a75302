import { randomUUID } from 'node:crypto';
import { toAsciiJson } from '../../lib/aws/send-message.ts';
import { startHttpServer, } from '../../loopback/http-server.ts';
import { accountId, region } from '../../loopback/local-aws.ts';
import { matches } from '../engines/event-pattern.ts';
// The limit of PutEvents: https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
const maxEntries = 10;
/** Starts a server for PutEvents. An event goes to the targets of all rules whose pattern it matches. */
export async function startEventBus() {
    const rules = [];
    const server = await startHttpServer((request) => answer(request, rules));
    /** Creates rules, and the buses that they name. */
    const createRules = (created, deliver) => {
        rules.push(...created.map((rule) => ({ ...rule, deliver })));
    };
    return { ...server, createRules };
}
async function answer({ headers, body }, rules) {
    const refuse = (__type, message) => ({ status: 400, body: { __type, message } });
    if (headers['x-amz-target'] !== 'AWSEvents.PutEvents') {
        return refuse('UnknownOperationException', 'The local event bus supports only PutEvents.');
    }
    const { Entries: entries = [] } = JSON.parse(body);
    if (entries.length < 1 || entries.length > maxEntries) {
        const message = `Expected 1 to ${maxEntries} entries; got ${entries.length}.`;
        return refuse('ValidationException', message);
    }
    const Entries = await Promise.all(entries.map((entry) => putEvent(entry, rules)));
    const FailedEntryCount = Entries.filter((result) => 'ErrorCode' in result).length;
    return { status: 200, body: { FailedEntryCount, Entries } };
}
async function putEvent({ EventBusName = 'default', Detail = '', ...entry }, rules) {
    const refuse = (ErrorCode, ErrorMessage) => ({ ErrorCode, ErrorMessage });
    if (!entry.Source || !entry.DetailType) {
        return refuse('InvalidArgument', 'Source and DetailType are required arguments.');
    }
    const detail = parseObject(Detail);
    if (!detail)
        return refuse('MalformedDetail', 'Detail must be a JSON object.');
    const name = EventBusName.split('/').at(-1) ?? '';
    const ofBus = rules.filter((rule) => rule.EventBusName === name);
    if (ofBus.length === 0) {
        return refuse('ResourceNotFoundException', `Event bus ${name} does not exist.`);
    }
    const event = toEvent(entry, detail);
    try {
        for (const { EventPattern, Targets, deliver } of ofBus) {
            if (!matches(EventPattern, event))
                continue;
            for (const { Arn } of Targets)
                await deliver(Arn, toAsciiJson(event));
        }
        return { EventId: event.id };
    }
    catch (error) {
        return refuse('InternalFailure', error.message);
    }
}
/** Builds the event that a rule's target receives. */
function toEvent({ Source, DetailType, Resources = [], Time }, detail) {
    const time = Time === undefined ? new Date() : new Date(Time * 1000);
    return {
        version: '0',
        id: randomUUID(),
        'detail-type': DetailType,
        source: Source,
        account: accountId,
        time: time.toISOString().replace(/\.\d+/, ''),
        region,
        resources: Resources,
        detail,
    };
}
function parseObject(json) {
    try {
        const value = JSON.parse(json);
        return Object(value) === value && !Array.isArray(value) ? Object(value) : undefined;
    }
    catch {
        return undefined;
    }
}
