import { slotAttribute, slotsPerSheet } from 'powertools-idempotency-transactional';
import { beforeAll, describe, expect, test } from 'vitest';
import { breakdowns } from '../../lib/clicks/breakdowns.ts';
import { type DynamoDbRequest, readAccesses } from '../helpers/dynamodb-access.ts';
import { isAllowed, type Statement } from '../helpers/iam.ts';
import { dayKey, roleRequests, sheet, transact, update } from '../helpers/role-requests.ts';
import { readRole } from '../helpers/roles.ts';
import { ofType, packageDirOf, readStage } from './stage-template.ts';

describe.each(Object.entries(roleRequests))('the role of %s', (name, { sent, denied }) => {
  let role: Statement[];

  beforeAll(async () => {
    role = await readRole(packageDirOf('dev'), `${name}Role`);
  });

  const allows = (request: DynamoDbRequest) =>
    readAccesses(request).every((access) => isAllowed(role, access));

  test.runIf(sent)("allows the function's requests", () => {
    expect(sent && allows(sent)).toBe(true);
  });

  test.each(Object.entries(denied))('denies %s', (_, request) => {
    expect(allows(request)).toBe(false);
  });
});

test('every function has requests to check its role with', async () => {
  const roleIds = Object.keys(ofType(await readStage('dev'), 'AWS::IAM::Role'));

  const expected = Object.keys(roleRequests).map((name) => `${name}Role`);
  expect(expected.toSorted()).toEqual(roleIds.filter((id) => id !== 'BackupRole').toSorted());
});

const counted = breakdowns.flatMap(({ attributes }) => Object.values(attributes));
const slots = Array.from({ length: slotsPerSheet }, (_, slot) => slotAttribute(slot));

test.each([
  ['each breakdown of a day', dayKey, counted],
  ['each slot of a sheet', sheet, slots],
])('the aggregator may set %s', async (_, key, attributes) => {
  const role = await readRole(packageDirOf('dev'), 'AggregateClicksRole');
  const isDenied = (attribute: string) => {
    const accesses = readAccesses(transact(update(key, `SET ${attribute} = :value`)));
    return !accesses.every((access) => isAllowed(role, access));
  };

  expect(attributes.length).toBeGreaterThan(70);
  // A new breakdown needs its attributes in infra/roles.yml.
  expect(attributes.filter(isDenied)).toEqual([]);
});
