import { beforeAll } from 'vitest';
import { startHttpServer } from '../../loopback/http-server.ts';
import { isolatedEnvironment } from './command.ts';

/**
 * A command's settings for an account, for a file's tests. Its CloudFormation has only the stack
 * click-tally-test, with the outputs that this returns at each request.
 */
export function useAccount(readOutputs: () => Record<string, string>): NodeJS.ProcessEnv {
  const settings = isolatedEnvironment({
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: 'us-east-1',
  });
  beforeAll(async () => {
    const { url, stop } = await startHttpServer(async ({ body }) => {
      const name = new URLSearchParams(body).get('StackName');
      if (name === 'click-tally-test') return { status: 200, body: describeStack(readOutputs()) };
      const error = `<Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message>`;
      return { status: 400, body: `<ErrorResponse><Error>${error}</Error></ErrorResponse>` };
    });
    settings.AWS_ENDPOINT_URL_CLOUDFORMATION = url;
    return stop;
  });
  return settings;
}

function describeStack(outputs: Record<string, string>): string {
  const members = Object.entries(outputs).map(
    ([name, value]) =>
      `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
    <StackName>click-tally-test</StackName><CreationTime>2026-05-26T10:00:00Z</CreationTime>
    <StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs>
    </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}
