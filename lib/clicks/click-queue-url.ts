/** The URL of the ClickQueue with this number, from 0. infra/click-queues.cjs names the queues. */
export function clickQueueUrl(firstUrl: string, queue: number): string {
  return queue === 0 ? firstUrl : `${firstUrl}-${queue + 1}`;
}
