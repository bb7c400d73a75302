import { slotAttribute, slotsPerSheet } from 'powertools-idempotency-transactional';
import { describe, expect, test } from 'vitest';
import { breakdowns } from '../../lib/clicks/breakdowns.ts';
import { type DynamoDbRequest, readAccesses } from '../helpers/dynamodb-access.ts';
import { isAllowed } from '../helpers/iam.ts';
import { dayKey, roleRequests, sheet, transact, update } from '../helpers/role-requests.ts';
import { readRole } from '../helpers/roles.ts';
import { openStage, packageDirOf } from './stage-template.ts';

const { idsOf } = await openStage('dev');
const roleIds = idsOf('IAM::Role').filter((id) => id !== 'BackupRole');

/** A role's decision. */
const decide = async (roleId: string) => {
  const role = await readRole(packageDirOf('dev'), roleId);
  return (request: DynamoDbRequest) =>
    readAccesses(request).every((access) => isAllowed(role, access));
};

describe.each(roleIds)('%s', async (roleId) => {
  const allows = await decide(roleId);
  const { sent, denied } = roleRequests[roleId.replace(/Role$/, '')] ?? { denied: {} };

  test("allows the function's requests, and others are tried", () => {
    expect(Object.keys(denied)).not.toEqual([]);
    if (sent) expect(allows(sent)).toBe(true);
  });

  test.each(Object.entries(denied))('denies %s', (_, request) => {
    expect(allows(request)).toBe(false);
  });
});

const counted = breakdowns.flatMap(({ attributes }) => Object.values(attributes));
const slots = Array.from({ length: slotsPerSheet }, (_, slot) => slotAttribute(slot));

test.each([
  ['each breakdown of a day', dayKey, counted],
  ['each slot of a sheet', sheet, slots],
])('the aggregator may set %s', async (_, key, attributes) => {
  const allows = await decide('AggregateClicksRole');

  expect(attributes.length).toBeGreaterThan(70);
  // A new breakdown needs its attributes in infra/roles.yml.
  const isDenied = (name: string) => !allows(transact(update(key, `SET ${name} = :value`)));
  expect(attributes.filter(isDenied)).toEqual([]);
});
