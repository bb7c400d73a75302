// Origin: https://qasimalbaqali.medium.com/achieving-idempotency-in-the-aws-serverless-space-d0671a521479
import { readClick } from '../../../hand-rolled/click-transaction.ts';
import { type CreateHandler, handleEach, putOnce } from '../approach.ts';

/** Writes one document per click, behind a FIFO queue. A count is a query. */
export const createHandler: CreateHandler = (tools) => (event) =>
  handleEach(event, async ({ body }) => {
    const { clickId, code, day } = readClick(body);
    return putOnce(tools, { PK: `LINK#${code}`, SK: `CLICK#${clickId}`, day });
  });
