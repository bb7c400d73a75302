import type * as awsClientModule from '../../../lib/aws/aws-client.ts';
import type * as sendMessageModule from '../../../lib/aws/send-message.ts';
import type * as clickEventModule from '../../../lib/clicks/click-event.ts';
import type * as placedIdModule from '../../../lib/clicks/placed-id.ts';
import type * as publishModule from '../../../lib/clicks/publish-click.ts';
import type * as configModule from '../../../lib/config.ts';
import { inModule, type PlantedBug } from './planted-bug.ts';

const inAwsClient = inModule<typeof awsClientModule>('lib/aws/aws-client.ts');
const inSendMessage = inModule<typeof sendMessageModule>('lib/aws/send-message.ts');
const inClickEvent = inModule<typeof clickEventModule>('lib/clicks/click-event.ts');
const inConfig = inModule<typeof configModule>('lib/config.ts');
const inPlacedId = inModule<typeof placedIdModule>('lib/clicks/placed-id.ts');
const inPublish = inModule<typeof publishModule>('lib/clicks/publish-click.ts');

/** Bugs between a visitor and the queue. */
export const redirectBugs: PlantedBug[] = [
  {
    name: 'the way past the bus has another click id',
    kind: 'counted twice',
    world: 28,
    changes: [
      inClickEvent('toBusEntry', ({ toBusEntry }) => (busName, detail, source) => {
        return toBusEntry(busName, { ...detail, clickId: `${detail.clickId}-bus` }, source);
      }),
    ],
  },
  {
    name: 'a success without proof is believed',
    kind: 'vanished',
    world: 101,
    changes: [
      inSendMessage('sendMessage', () => async (sqs, input, abortSignal) => {
        await sqs.send('SendMessage', input, abortSignal);
      }),
    ],
  },
  {
    name: 'sheets are begun again',
    kind: 'repeated id',
    world: 56,
    changes: [
      inPlacedId(
        'openSheet',
        ({ openSheet }) =>
          () =>
            openSheet('A'.repeat(22)),
      ),
    ],
  },
  {
    name: 'a visitor is redirected without a click',
    kind: 'vanished',
    world: 43,
    changes: [inPublish('publishClick', () => async () => undefined)],
  },
  {
    name: 'a link that cannot be read is not served',
    kind: 'dead link',
    world: 146,
    changes: [
      inConfig('readEnv', ({ readEnv }) => (variables, environment) => {
        const values = readEnv(variables, environment);
        return { ...values, ...('STALE_LINK_SECONDS' in values && { STALE_LINK_SECONDS: 0 }) };
      }),
    ],
  },
  {
    name: 'a read may take as long as ever',
    kind: 'slow visit',
    world: 101,
    changes: [
      inAwsClient('AwsClient', ({ AwsClient }) => {
        return class extends AwsClient {
          readonly #isPatient: boolean;

          constructor(...[service, options]: ConstructorParameters<typeof AwsClient>) {
            super(service, service === 'DynamoDB' ? { ...options, timeoutMs: 4_000 } : options);
            this.#isPatient = service === 'DynamoDB';
          }

          override send<T>(operation: string, input: object, abortSignal: AbortSignal): Promise<T> {
            const ownSignal = this.#isPatient ? AbortSignal.timeout(4_000) : abortSignal;
            return super.send<T>(operation, input, ownSignal);
          }
        };
      }),
    ],
  },
  {
    name: 'an empty answer means that a link is unknown',
    kind: 'dead link',
    world: 101,
    changes: [
      inAwsClient('AwsClient', ({ AwsClient }) => {
        return class extends AwsClient {
          override async send<T>(...args: Parameters<InstanceType<typeof AwsClient>['send']>) {
            return { ConsumedCapacity: {}, ...(await super.send<T & object>(...args)) } as T;
          }
        };
      }),
    ],
  },
];
