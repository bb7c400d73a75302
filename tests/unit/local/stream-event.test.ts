import { expect, test } from 'vitest';
import { toEventRecord } from '../../../local/engines/stream-event.ts';

test('a record of a stream becomes the record of an event, with binary values in base64', () => {
  const record = toEventRecord(
    {
      eventID: 'an-id',
      eventName: 'MODIFY',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'ddblocal',
      dynamodb: {
        ApproximateCreationDateTime: new Date('2026-11-22T07:00:00.900Z'),
        Keys: { PK: { S: 'LINK#docs' } },
        NewImage: {
          clicks: { N: '3' },
          hash: { B: new Uint8Array([1, 2, 255]) },
          hashes: { BS: [new Uint8Array([0])] },
          nested: { M: { list: { L: [{ B: new Uint8Array([7]) }, { NULL: true }] } } },
        },
        OldImage: undefined,
        SequenceNumber: '42',
        SizeBytes: 59,
        StreamViewType: 'NEW_IMAGE',
      },
    },
    'arn:aws:dynamodb:us-east-1:000000000000:table/Links/stream/now',
  );

  expect(record).toStrictEqual({
    eventID: 'an-id',
    eventName: 'MODIFY',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'us-east-1',
    eventSourceARN: 'arn:aws:dynamodb:us-east-1:000000000000:table/Links/stream/now',
    dynamodb: {
      ApproximateCreationDateTime: 1_795_330_800,
      Keys: { PK: { S: 'LINK#docs' } },
      NewImage: {
        clicks: { N: '3' },
        hash: { B: 'AQL/' },
        hashes: { BS: ['AA=='] },
        nested: { M: { list: { L: [{ B: 'Bw==' }, { NULL: true }] } } },
      },
      SequenceNumber: '42',
      SizeBytes: 59,
      StreamViewType: 'NEW_IMAGE',
    },
  });
});

test('an item that its time to live removed says who removed it', () => {
  const record = toEventRecord(
    {
      eventName: 'REMOVE',
      userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' },
    },
    'any',
  );

  expect(record).toMatchObject({
    userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
  });
});
