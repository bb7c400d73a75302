import { addUpDeliverySeconds } from 'powertools-idempotency-transactional';
import { nonEmptyString, positiveInteger, readEnv } from '../config.ts';
const aggregatorVariables = {
    TABLE_NAME: nonEmptyString,
    MAX_RECEIVE_COUNT: positiveInteger,
    BUS_RETRY_SECONDS: positiveInteger,
    QUEUE_RETENTION_SECONDS: positiveInteger,
    DEAD_LETTER_RETENTION_SECONDS: positiveInteger,
};
/**
 * The aggregator's settings. `markerTtlSeconds` covers the longest time after which a click can
 * return (docs/decisions.md#when-a-marker-expires). Throws `ConfigError`.
 */
export function readAggregatorConfig(environment) {
    const variables = readEnv(aggregatorVariables, environment);
    return {
        tableName: variables.TABLE_NAME,
        maxReceiveCount: variables.MAX_RECEIVE_COUNT,
        markerTtlSeconds: addUpDeliverySeconds({
            sourceRetrySeconds: variables.BUS_RETRY_SECONDS,
            queueRetentionSeconds: variables.QUEUE_RETENTION_SECONDS,
            deadLetterRetentionSeconds: variables.DEAD_LETTER_RETENTION_SECONDS,
        }),
    };
}
