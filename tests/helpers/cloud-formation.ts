import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../cli/loopback/http-server.ts';

/** Starts a CloudFormation that has only the stack click-tally-test. */
export function startCloudFormation(outputs: Record<string, string>) {
  const members = Object.entries(outputs).map(
    ([name, value]) =>
      `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const found = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
    <StackName>click-tally-test</StackName><CreationTime>2026-05-26T10:00:00Z</CreationTime>
    <StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs>
    </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
  const server = createServer(async (request, response) => {
    const name = new URLSearchParams(await text(request)).get('StackName');
    if (name === 'click-tally-test') return response.end(found);
    const [code, message] =
      name === 'click-tally-refused'
        ? ['ExpiredToken', 'The security token included in the request is expired']
        : ['ValidationError', `Stack with id ${name} does not exist`];
    return response
      .writeHead(400)
      .end(
        `<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
      );
  });
  return listen(server);
}

/** A command's settings for an account whose CloudFormation answers here. */
export const accountAt = (url: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_REGION: 'us-east-1',
  AWS_ENDPOINT_URL_CLOUDFORMATION: url,
});
