import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { codeSchema } from '../code-schema.ts';
import { changeKey } from '../keys.ts';
import { logger } from '../telemetry/powertools.ts';

/** A link has a new version, which its own item has, too. */
export interface LinkChange {
  code: string;
  version: number;
}

const { PK: prefix } = changeKey('');
const changeSchema = z.object({
  PK: z.string().check(z.startsWith(prefix)),
  version: z.int(),
});

/**
 * Reads a record of the table's stream. Logs an invalid one and returns undefined, because it would hold
 * up the changes behind it.
 */
export function readLinkChange({ dynamodb, eventID }: DynamoDBRecord): LinkChange | undefined {
  const image = unmarshall((dynamodb?.NewImage ?? {}) as Record<string, AttributeValue>);
  const { data: item } = changeSchema.safeParse(image);
  const { data: code } = codeSchema.safeParse(item?.PK.slice(prefix.length));
  if (item && code !== undefined) return { code, version: item.version };
  logger.error('record not read', { eventId: eventID, sequenceNumber: dynamodb?.SequenceNumber });
  return undefined;
}
