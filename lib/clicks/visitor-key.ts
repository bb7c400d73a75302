import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { GetItemCommandOutput } from '@aws-sdk/client-dynamodb';
import type { AwsClient } from '../aws/aws-client.ts';
import { visitorKeyKey } from '../keys.ts';
import { logger } from '../telemetry/powertools.ts';

const itemKey = { PK: { S: visitorKeyKey.PK }, SK: { S: visitorKeyKey.SK } };
const keyBytes = 32;
/** The initialization waits for it, and no visit does. */
const timeoutMs = 200;
const retryAfterMs = 5_000;

/**
 * The key that visitors are hashed with. The stage's first environment creates it, and it lives as long as
 * the table. Never throws and never makes a visitor wait: until it's read, clicks have no visitor.
 */
export class VisitorKey {
  readonly #dynamoDb: Pick<AwsClient, 'send'>;
  readonly #tableName: string;
  // A hash with a key's bytes takes five times as long.
  #key: KeyObject | undefined;
  #triedAtMs = Number.NEGATIVE_INFINITY;

  constructor(dynamoDb: Pick<AwsClient, 'send'>, tableName: string) {
    this.#dynamoDb = dynamoDb;
    this.#tableName = tableName;
  }

  /** The key, if it has been read. If not, it's read in the background, every five seconds at most. */
  getKey(): KeyObject | undefined {
    if (!this.#key && Date.now() >= this.#triedAtMs + retryAfterMs) void this.load();
    return this.#key;
  }

  async load(): Promise<void> {
    this.#triedAtMs = Date.now();
    const abortSignal = AbortSignal.timeout(timeoutMs);
    try {
      this.#key = (await this.#read(abortSignal)) ?? (await this.#create(abortSignal));
    } catch (error) {
      logger.warn("The visitors' key could not be read. Clicks have no visitor.", { error });
    }
  }

  async #read(abortSignal: AbortSignal): Promise<KeyObject | undefined> {
    const input = {
      TableName: this.#tableName,
      Key: itemKey,
      ConsistentRead: true,
      ReturnConsumedCapacity: 'TOTAL',
    };
    const output = await this.#dynamoDb.send<GetItemCommandOutput>('GetItem', input, abortSignal);
    if (!output.ConsumedCapacity) {
      throw new Error(
        "expected DynamoDB's consumed capacity; got none. Did something else answer?",
      );
    }
    const { key } = output.Item ?? {};
    return key?.B && createSecretKey(`${key.B}`, 'base64');
  }

  // Another environment may create one at the same time. The first one is the stage's.
  async #create(abortSignal: AbortSignal): Promise<KeyObject | undefined> {
    const input = {
      TableName: this.#tableName,
      Item: { ...itemKey, key: { B: randomBytes(keyBytes).toString('base64') } },
      ConditionExpression: 'attribute_not_exists(PK)',
    };
    try {
      await this.#dynamoDb.send('PutItem', input, abortSignal);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'ConditionalCheckFailedException')
        throw error;
    }
    return this.#read(abortSignal);
  }
}
