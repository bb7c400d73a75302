import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect, test } from 'vitest';
import { localClientConfig } from '../../cli/local-aws.ts';
import { chunk } from '../../lib/chunk.ts';
import { clickDetailType, clickSource, clickSourceOf } from '../../lib/clicks/click-event.ts';
import { type Intrinsic, resolveIntrinsics } from '../../local/engines/template.ts';
import { startStageBus } from './stage-bus.ts';
import { ofType, propertiesOf, queueSuffixesOf, readStage, stages } from './stage-template.ts';

interface Sample {
  source: string;
  type: string;
}

const lookalikes = (text: string) => [
  ...[text, text.toUpperCase(), ` ${text}`, `${text} `, `${text}s`, text.slice(0, -1)],
  ...['click', '*', 'aws.events', 'null'],
];
// A stage with four queues has one for each of the first three.
const sources = [
  ...['click-tally.2', 'click-tally.3', 'click-tally.4', 'click-tally.5', 'click-tally.22'],
  ...['click-tally.1', 'click-tally.0', 'click-tally.', 'click-tally-2', 'click-tally.2.3'],
];
const samples: Sample[] = [...lookalikes(clickSource), ...sources].flatMap((source) =>
  lookalikes(clickDetailType).map((type) => ({ source, type })),
);
const byText = (events: Sample[]) => events.map((event) => JSON.stringify(event)).toSorted();

async function publish(url: string): Promise<void> {
  const bus = new EventBridgeClient(localClientConfig(url));
  for (const some of chunk(samples, 10)) {
    const Entries = some.map(({ source, type }) => {
      return { EventBusName: 'ClickBus', Source: source, DetailType: type, Detail: '{}' };
    });
    await bus.send(new PutEventsCommand({ Entries }));
  }
  bus.destroy();
}

function toSample(body: string): Sample {
  const { source, 'detail-type': type } = JSON.parse(body);
  return { source, type };
}

// With one queue and with four.
test.each(['prod', 'prod-with-edge'] as const)(
  'the rules of %s send the clicks of each source to its queue, and all other events to the log',
  async (stage) => {
    await using bus = await startStageBus(stage);
    const suffixes = queueSuffixesOf(await readStage(stage));
    const clicks = suffixes.map((_, queue) => {
      return { source: clickSourceOf(queue), type: clickDetailType };
    });
    const isClick = (event: Sample) =>
      clicks.some(({ source, type }) => event.source === source && event.type === type);

    await publish(bus.url);

    const counted = await Promise.all(
      suffixes.map(async (suffix) => (await bus.takeEvents(`ClickQueue${suffix}`)).map(toSample)),
    );
    const logged = (await bus.takeEvents('UnmatchedEventsLogGroup')).map(toSample);
    expect(counted).toEqual(clicks.map((click) => [click]));
    expect(byText(logged)).toEqual(byText(samples.filter((event) => !isClick(event))));
  },
);

// EventBridge doesn't deliver to an ARN that ends with the ":*" of GetAtt.
test.each(stages)('only the log of unmatched events of %s is open, by its ARN', async (stage) => {
  const template = await readStage(stage);
  const logGroups = Object.entries(ofType(template, 'AWS::Logs::LogGroup'));
  const [{ Arn: target }] = propertiesOf(template, 'UnmatchedRule').Targets as [{ Arn: Intrinsic }];
  const attributes = { Arn: 'arn:aws:logs:us-east-1:1:log-group:/aws/events/name:*' };

  const arn = resolveIntrinsics(target, { UnmatchedEventsLogGroup: { ref: 'name', attributes } });

  expect(arn).toBe('arn:aws:logs:us-east-1:1:log-group:/aws/events/name');
  const open = logGroups.filter(([, { Properties }]) => Properties.ResourcePolicyDocument);
  expect(open.map(([id]) => id)).toEqual(['UnmatchedEventsLogGroup']);
});
