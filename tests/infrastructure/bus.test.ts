import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect, test } from 'vitest';
import { localClientConfig } from '../../cli/local-aws.ts';
import { chunk } from '../../lib/chunk.ts';
import { clickDetailType, clickSource, clickSourceOf } from '../../lib/clicks/click-event.ts';
import { startStageBus } from './stage-bus.ts';
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
/** Sources and detail-types of events. */
const samples = [...lookalikes(clickSource), ...sources].flatMap((source) =>
  lookalikes(clickDetailType).map((type) => `${source}|${type}`),
);

function toSample(body: string): string {
  const { source, 'detail-type': type } = JSON.parse(body);
  return `${source}|${type}`;
}

// With one queue and with four.
test.each(['prod', 'prod-with-edge'] as const)(
  'the rules of %s send the clicks of each source to its queue, and all other events to the log',
  async (stage) => {
    await using stageBus = await startStageBus(stage);
    const bus = new EventBridgeClient(localClientConfig(stageBus.url));
    const { suffixes } = await openStage(stage);
    const clicks = suffixes.map((_, queue) => `${clickSourceOf(queue)}|${clickDetailType}`);

    for (const some of chunk(samples, 10)) {
      const Entries = some.map((sample) => {
        const [Source, DetailType] = sample.split('|');
        return { EventBusName: 'ClickBus', Source, DetailType, Detail: '{}' };
      });
      await bus.send(new PutEventsCommand({ Entries }));
    }

    const take = async (target: string) => (await stageBus.takeEvents(target)).map(toSample);
    const counted = await Promise.all(suffixes.map((suffix) => take(`ClickQueue${suffix}`)));
    expect(counted).toEqual(clicks.map((click) => [click]));
    expect((await take('UnmatchedEventsLogGroup')).toSorted()).toEqual(
      samples.filter((sample) => !clicks.includes(sample)).toSorted(),
    );
  },
);

// EventBridge doesn't deliver to an ARN that ends with the ":*" of GetAtt.
test.each(packaged)('the log of unmatched events of %s is a target by its ARN', async (name) => {
  const { read } = await openStage(name);

  expect(read('UnmatchedRule').Targets).toMatchObject([{ Arn: 'arn:UnmatchedEventsLogGroup' }]);
});
