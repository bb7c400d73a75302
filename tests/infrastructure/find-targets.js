import { matches } from '../../local/engines/event-pattern.ts';
/** The ARNs of the targets that an entry reaches by a stage's rules. */
export function findTargets({ readType }, { EventBusName, Source, DetailType }) {
  const rules = Object.values(readType('Events::Rule'));
  const event = { source: Source, 'detail-type': DetailType };
  return rules
    .filter((rule) => rule.EventBusName === EventBusName && matches(rule.EventPattern, event))
    .flatMap(({ Targets }) => Targets.map(({ Arn }) => Arn));
}
