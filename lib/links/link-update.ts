import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { retryWhileBusy, WriteUnprovenError, writeTimeoutMs } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { linkKey } from '../keys.ts';
import type { UpdateLinkRequest } from './link-request.ts';
import type { Link } from './links.ts';

interface LinkUpdate extends UpdateLinkRequest {
  code: string;
}

type Expressions = Pick<
  UpdateCommandInput,
  | 'UpdateExpression'
  | 'ConditionExpression'
  | 'ExpressionAttributeNames'
  | 'ExpressionAttributeValues'
>;

type Refusal = 'unknown' | 'taken-down';

const enable = 'REMOVE disabled, disabledBy';

/**
 * Disables or enables a link for its owner and returns it, even if it didn't change. An owner can't
 * enable a link that an operator took down (`taken-down`), and disabling it changes nothing.
 * Another owner's link is `unknown`.
 */
export async function updateOwnLink(
  table: TableAccess,
  owner: string,
  { code, disabled }: LinkUpdate,
): Promise<Link | Refusal> {
  const isOwn = '#owner = :owner';
  const isNotTakenDown = '(attribute_not_exists(disabledBy) OR disabledBy = :by)';
  const names = { ExpressionAttributeNames: { '#owner': 'owner' } };
  const values = { ':owner': owner, ':by': 'owner' };
  const update: Expressions = disabled
    ? {
        ...names,
        UpdateExpression: 'SET disabled = :true, disabledBy = if_not_exists(disabledBy, :by)',
        ConditionExpression: isOwn,
        ExpressionAttributeValues: { ...values, ':true': true },
      }
    : {
        ...names,
        UpdateExpression: enable,
        ConditionExpression: `${isOwn} AND ${isNotTakenDown}`,
        ExpressionAttributeValues: values,
      };
  const updated = await sendUpdate(table, code, update);
  if ('link' in updated) return updated.link;
  return updated.owner === owner ? 'taken-down' : 'unknown';
}

/** Disables or enables any link for an operator and returns it; undefined if it doesn't exist. */
export async function updateAnyLink(
  table: TableAccess,
  { code, disabled }: LinkUpdate,
): Promise<Link | undefined> {
  const exists = { ConditionExpression: 'attribute_exists(PK)' };
  const update: Expressions = disabled
    ? {
        ...exists,
        UpdateExpression: 'SET disabled = :true, disabledBy = :by',
        ExpressionAttributeValues: { ':true': true, ':by': 'operator' },
      }
    : { ...exists, UpdateExpression: enable };
  const updated = await sendUpdate(table, code, update);
  return 'link' in updated ? updated.link : undefined;
}

/** Returns the updated link or, if the condition failed, its owner. */
async function sendUpdate(
  { client, tableName }: TableAccess,
  code: string,
  update: Expressions,
): Promise<{ link: Link } | { owner?: string }> {
  const command = new UpdateCommand({
    TableName: tableName,
    Key: linkKey(code),
    ...update,
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const abortSignal = AbortSignal.timeout(writeTimeoutMs);
  try {
    // The aggregator's transactions conflict with writes to a busy link.
    return await retryWhileBusy(async () => {
      const { Attributes } = await client.send(command, { abortSignal });
      if (Attributes) return { link: Attributes as Link };
      throw new WriteUnprovenError('expected the updated link in the response; got none');
    });
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { owner: error.Item?.owner?.S };
  }
}
