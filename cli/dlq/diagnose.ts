import { IdempotencyValidationError } from '@aws-lambda-powertools/idempotency';
import { ConditionFailedError, ItemMissingError } from 'powertools-idempotency-transactional';
import { type Click, countsAt, identifyClick, parseClick } from '../../lib/clicks/click.ts';
import { describeFailure, type FailureReason } from '../../lib/clicks/failure.ts';
import type { TableAccess } from '../../lib/dynamodb/table.ts';
import { linkKey } from '../../lib/keys.ts';
import { getHolder } from '../../lib/links/links.ts';
import { readMarker } from './marker.ts';

/** The outcome that a redrive of a dead letter would have now. */
export type Reason = FailureReason | 'id-counted' | 'countable';

const idCounted = {
  'this-click':
    'a click with this id, link and day was already counted; a redrive would not count it again',
  'same-hash':
    "this id was already counted, for a link and day with this click's hash; a redrive would not count it again",
};

/** Reasons that would make a redrive fail again. */
export const failingReasons: Reason[] = [
  'invalid-click',
  'unknown-link',
  'deleted-link',
  'changed-click',
];

/** All reasons that a diagnosis can find. */
export const findableReasons: Reason[] = ['countable', 'id-counted', ...failingReasons];

interface Finding {
  reason: Reason;
  /** The expected and the actual value. */
  detail: string;
}

export interface Diagnosis extends Finding {
  clickId?: string;
  code?: string;
}

/** Runs the aggregator's checks on a message, in the same order, without counting it. */
export async function diagnose(body: string, table: TableAccess): Promise<Diagnosis> {
  return { ...identifyClick(body), ...(await findReason(body, table)) };
}

async function findReason(body: string, table: TableAccess): Promise<Finding> {
  const click = readClick(body);
  if ('reason' in click) return click;
  const [marked, holder] = await Promise.all([
    readMarker(click, table),
    getHolder(table, click.code),
  ]);
  if (marked === 'another-click') return explain(new IdempotencyValidationError());
  // Another sender that knew the id may have sent the counted click.
  if (marked) return { reason: 'id-counted', detail: idCounted[marked] };
  const key = linkKey(click.code);
  if (!holder) return explain(new ItemMissingError(key));
  if (!countsAt(click.at, holder)) {
    return explain(new ConditionFailedError(table.tableName, key, { ...holder }));
  }
  return { reason: 'countable', detail: 'a redrive would count it' };
}

function readClick(body: string): Click | Finding {
  try {
    return parseClick(body);
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): Finding {
  const { reason, message } = describeFailure(error);
  return { reason, detail: message };
}
