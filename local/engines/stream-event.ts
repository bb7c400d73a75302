import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { region } from '../../cli/local-aws.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Converts a record of a table's stream into the one that Lambda passes to a function. */
export function toEventRecord(record: StreamRecord, streamArn: string): DynamoDBRecord {
  const { ApproximateCreationDateTime: createdAt, ...change } = record.dynamodb ?? {};
  const { userIdentity } = record;
  return {
    eventID: record.eventID,
    eventName: record.eventName,
    eventVersion: record.eventVersion,
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    eventSourceARN: streamArn,
    dynamodb: {
      ...(toJson(change) as DynamoDBRecord['dynamodb']),
      ApproximateCreationDateTime: Math.floor((createdAt?.getTime() ?? 0) / 1000),
    },
    // Present if TTL deleted the item.
    ...(userIdentity && {
      userIdentity: { type: userIdentity.Type, principalId: userIdentity.PrincipalId },
    }),
  };
}

/** Copies a value, with each binary attribute in base64. */
function toJson(value: unknown): Json {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value as Json;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, toJson(item)]));
}
