// infra reads this, too.
export const clickSource = 'click-tally';
/** The event source for the ClickQueue with this number, from 0. Other producers use the first. */
export function clickSourceOf(queue: number): string {
  return queue === 0 ? clickSource : `${clickSource}.${queue + 1}`;
}

export const clickDetailType = 'link.clicked';
