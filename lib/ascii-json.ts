/**
 * Writes JSON for SQS and EventBridge. SQS rejects U+FFFE and U+FFFF, which JSON may contain, so every
 * character beyond ASCII is escaped. Each character of the result is one byte.
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
export function toAsciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u0080-\uffff]/g, escapeCodeUnit);
}

function escapeCodeUnit(codeUnit: string): string {
  return `\\u${codeUnit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
