/**
 * An envelope's maximum number of clicks. It bounds the work that one message can cause.
 * infra/settings-checks.cjs reads it, too.
 */
export const maxClicksInEnvelope = 500;
