import { sendMessages } from '../../cli/queue.ts';
import { show } from '../../lib/validation.ts';
import { findByArn, findResources, resolveIntrinsics, } from '../engines/template.ts';
/**
 * Creates the template's rules. Their targets are queues, and a log group for the events that no
 * other rule matches, each of which is reported.
 */
export function createRules(bus, template, resources, { sqs, onError }) {
    const rules = Object.values(findResources(template, 'AWS::Events::Rule'))
        .filter(({ EventPattern }) => EventPattern)
        .map((rule) => resolveIntrinsics(rule, resources));
    bus.createRules(rules, async (targetArn, event) => {
        if (targetArn.startsWith('arn:aws:logs:'))
            return onError(unmatchedEventError(event));
        await sendMessages({ sqs, url: findByArn(resources, targetArn).ref }, [event]);
    });
}
function unmatchedEventError(event) {
    const { source, 'detail-type': type } = JSON.parse(event);
    const got = `source ${show(source)} and detail-type ${show(type)}`;
    return new Error(`An event does not match any rule, so it is not counted: got ${got}. See docs/producers.md.`);
}
