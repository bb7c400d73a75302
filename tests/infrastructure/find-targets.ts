import { matches } from '../../local/engines/event-pattern.ts';
import type { Rule } from '../../local/stack/event-bus.ts';
import type { openPackage } from './stage-template.ts';

type Opened = Awaited<ReturnType<typeof openPackage>>;

/** An entry of PutEvents. */
interface Entry {
  EventBusName: string;
  Source: string;
  DetailType: string;
}

/** The ARNs of the targets that an entry reaches by a stage's rules. */
export function findTargets({ readType }: Opened, { EventBusName, Source, DetailType }: Entry) {
  const rules = Object.values(readType('Events::Rule')) as unknown as Rule[];
  const event = { source: Source, 'detail-type': DetailType };
  return rules
    .filter((rule) => rule.EventBusName === EventBusName && matches(rule.EventPattern, event))
    .flatMap(({ Targets }) => Targets.map(({ Arn }) => Arn));
}
