import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';
import { localClientConfig } from '../../../../cli/local-aws.ts';
import { answerJson, startScriptedService } from '../../../../tests/helpers/scripted-service.ts';

test('a request that fails is sent once, because the layer retries and not the SDK', async () => {
  const service = await startScriptedService(answerJson(500, { __type: 'InternalServerError' }));
  const client = createCommitClient(localClientConfig(service.url));
  const command = new TransactWriteItemsCommand({ TransactItems: [], ClientRequestToken: '1' });

  await expect(client.send(command)).rejects.toThrow();

  expect(service.bodies).toEqual([{ TransactItems: [], ClientRequestToken: '1' }]);
});
