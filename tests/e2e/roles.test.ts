import { IAMClient } from '@aws-sdk/client-iam';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { roleRequests } from '../helpers/role-requests.ts';
import { findMisjudged } from './policy-simulator.ts';

const { simulated, clientConfig } = inject('target');
const iam = new IAMClient({ ...clientConfig.others, retryMode: 'adaptive' });

afterAll(() => iam.destroy());

describe.runIf(simulated)("IAM's policy simulator", { timeout: 120_000 }, () => {
  const { roleArns = {}, tableArn = '' } = simulated ?? {};

  test.each(Object.entries(roleArns))(
    "allows %s's role exactly the requests that the function sends",
    async (name, arn) => {
      const requests = roleRequests[name];

      expect(requests && (await findMisjudged(iam, { arn, tableArn }, requests))).toEqual([]);
    },
  );
});
