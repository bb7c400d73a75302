import { resolveIntrinsics, } from '../../local/engines/template.ts';
/** Replaces Ref with the logical id, and Fn::GetAtt with `id` or, for ARNs, `arn:id` or `stream:id`. */
export function resolve(template, value) {
    const resources = {
        'AWS::Partition': { ref: 'aws' },
        'AWS::Region': { ref: 'us-east-1' },
        'AWS::AccountId': { ref: '123456789012' },
        'AWS::URLSuffix': { ref: 'amazonaws.com' },
        'AWS::StackId': {
            ref: 'arn:aws:cloudformation:us-east-1:123456789012:stack/a/51af3dc0-da77-11e4-872e-1234567db123',
        },
    };
    for (const [id, { Type }] of Object.entries(template.Resources)) {
        resources[id] = {
            ref: id,
            attributes: {
                Arn: Type === 'AWS::Logs::LogGroup' ? `arn:${id}:*` : `arn:${id}`,
                StreamArn: `stream:${id}`,
                QueueName: id,
                ApiEndpoint: `https://${id}.execute-api.us-east-1.amazonaws.com`,
                DomainName: `${id}.cloudfront.net`,
            },
        };
    }
    return resolveIntrinsics(choose(template, value), resources);
}
/** Replaces each Fn::If with its value. AWS::NoValue removes the property or the entry. */
function choose(template, value) {
    if (Array.isArray(value)) {
        return value.map((item) => choose(template, item)).filter((item) => !isNoValue(item));
    }
    if (value === null || typeof value !== 'object')
        return value;
    const found = Object.entries(value);
    const [[name, argument] = []] = found;
    if (name === 'Fn::If') {
        const [condition, yes, no] = argument;
        return choose(template, isTrue(template, condition) ? yes : no);
    }
    const chosen = found.map(([key, item]) => [key, choose(template, item)]);
    return Object.fromEntries(chosen.filter(([, item]) => !isNoValue(item)));
}
function isNoValue(value) {
    return value?.Ref === 'AWS::NoValue';
}
/** Evaluates a condition. @throws {Error} if the templates don't use its kind. */
export function isTrue(template, condition) {
    if (typeof condition === 'string')
        return isTrue(template, template.Conditions?.[condition]);
    const [[name, argument] = []] = Object.entries(condition ?? {});
    if (name === 'Fn::Not')
        return !isTrue(template, argument[0]);
    if (name === 'Fn::And')
        return argument.every((each) => isTrue(template, each));
    if (name === 'Fn::Equals')
        return argument[0] === argument[1];
    if (name === 'Condition')
        return isTrue(template, argument);
    throw new Error(`expected a condition; got ${JSON.stringify(condition)}`);
}
