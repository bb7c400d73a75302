import { expect, test } from 'vitest';
import { clickDetailType, clickSource, clickSourceOf } from '../../lib/clicks/click-source.ts';
import { findTargets } from './find-targets.ts';
import { openStage, packaged } from './stage-template.ts';

const lookalikes = (text: string) => [
  ...[text, text.toUpperCase(), ` ${text}`, `${text} `, `${text}s`, text.slice(0, -1)],
  ...['click', '*', 'aws.events', 'null'],
];
// A stage with four queues has one for each of the first three.
const sources = [
  ...['click-tally.2', 'click-tally.3', 'click-tally.4', 'click-tally.5', 'click-tally.22'],
  ...['click-tally.1', 'click-tally.0', 'click-tally.', 'click-tally-2', 'click-tally.2.3'],
];

// EventBridge doesn't deliver to the log's ARN of GetAtt, which ends with ":*".
test.each(packaged)(
  'the rules of %s send the clicks of each source to its queue, and all other events to the log',
  async (name) => {
    const opened = await openStage(name);
    const queueOf = Object.fromEntries(
      opened.suffixes.map((suffix, index) => [clickSourceOf(index), `arn:ClickQueue${suffix}`]),
    );

    for (const Source of [...lookalikes(clickSource), ...sources]) {
      for (const DetailType of lookalikes(clickDetailType)) {
        const queue = DetailType === clickDetailType ? queueOf[Source] : undefined;
        const targets = findTargets(opened, { EventBusName: 'ClickBus', Source, DetailType });
        expect(targets, `${Source}|${DetailType}`).toEqual([
          queue ?? 'arn:UnmatchedEventsLogGroup',
        ]);
      }
    }
  },
);
