import { logger } from '../telemetry/powertools.ts';
import { describeFailure, groupFailures, isRejected, lastingReasons, } from './failure.ts';
import { attemptOf, repackEnvelope } from './records.ts';
/**
 * Creates a function that counts the clicks of a message. It throws if the message must come back: if all
 * of its clicks failed, or if one that failed may succeed later. Otherwise, an envelope's clicks that would
 * fail again are sent to the dead letters, without the others, before SQS may delete their message.
 */
export function createRecordCounter(options) {
    const { countEvent, report } = options;
    return async (record) => {
        const { message, problem } = record;
        if (!message) {
            report.addFailure(record, problem);
            throw problem;
        }
        const { events, envelope } = message;
        const results = await Promise.allSettled(events.map(countEvent));
        const failures = results.flatMap((result, index) => result.status === 'rejected' ? [{ event: events[index], error: result.reason }] : []);
        // An envelope that came back has clicks which its earlier attempts counted and reported.
        const hasComeBack = envelope && attemptOf(record) !== 1;
        for (const result of results) {
            if (result.status === 'rejected' || (hasComeBack && result.value === 'duplicate'))
                continue;
            report.addSuccess(result.value);
        }
        const [first] = failures;
        if (!first)
            return;
        // If nothing was counted, the message comes back as it is, like a single click.
        const isForwarded = envelope &&
            failures.length < events.length &&
            (await forward(record, envelope, failures, options));
        if (envelope)
            report.addFailures(record, failures, isForwarded);
        else
            report.addFailure(record, first.error);
        if (!isForwarded)
            throw first.error;
    };
}
/** Forwards all of these clicks, unless one may succeed later. Returns whether SQS has them. */
async function forward(record, envelope, failures, { sendDeadLetters, maxReceiveCount }) {
    const isLastAttempt = (attemptOf(record) ?? 0) >= maxReceiveCount;
    const wouldFailAgain = failures.every(({ error }) => lastingReasons.includes(describeFailure(error).reason) ||
        (isLastAttempt && isRejected(error)));
    if (!wouldFailAgain)
        return false;
    try {
        const deadLetters = groupFailures(failures).map(({ reason, events }) => ({
            body: repackEnvelope(envelope, events),
            reason,
        }));
        await sendDeadLetters(record, deadLetters);
        return true;
    }
    catch (error) {
        logger.error('clicks not forwarded to the dead letters', { error });
        return false;
    }
}
