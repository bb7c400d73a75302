import { describe, expect, test } from 'vitest';
import { pushTimeoutMs } from '../../lib/live/push.ts';
import { openStage, stages } from './stage-template.ts';

const mapping = 'PushCountsEventSourceMappingDynamodbClickTable';
describe.each(stages)('the live page of %s', async (stage) => {
  const opened = await openStage(stage);
  const { template, read, readType, number, environment, has, expects } = opened;
  test('checks a token when a connection opens, and has a route for every message', () => {
    const routes = Object.values(readType('ApiGatewayV2::Route'))
      .filter(({ ApiId }) => ApiId === 'WebsocketsApi')
      .map(({ RouteKey, AuthorizationType, Target }) => [
        ...[RouteKey, AuthorizationType],
        `${Target}`.replace(/^integrations.|WebsocketsI.*/g, ''),
      ]);
    expect(routes).toEqual([
      ['$connect', 'CUSTOM', 'OpenConnection'],
      ['$disconnect', 'NONE', 'CloseConnection'],
      ...['watch', 'unwatch', 'ping', '$default'].map((key) => [key, 'NONE', 'WatchLinks']),
    ]);
    expects({
      AuthorizeConnectionWebsocketsAuthorizer: {
        AuthorizerType: 'REQUEST',
        // Not the URL, which may be logged.
        IdentitySource: ['route.request.header.Sec-WebSocket-Protocol'],
      },
    });
    expect(environment('AuthorizeConnection')).toMatchObject({
      JWT_ISSUER: 'https://cognito-idp.us-east-1.amazonaws.com/UserPool',
      JWT_AUDIENCE: 'UserPoolClient',
    });
  });
  test('logs neither messages nor their senders', () => {
    const settings = template.Resources.WebsocketsDeploymentStage?.Properties ?? {};
    const { 'Fn::If': log } = settings.AccessLogSettings;
    // Without a logging role in the account's settings, the deployment would fail.
    expect(has(log[0])).toBe(false);
    const silent = { DataTraceEnabled: false, DetailedMetricsEnabled: false, LoggingLevel: 'OFF' };
    expect(settings.DefaultRouteSettings).toMatchObject(silent);
    expect(Object.values(JSON.parse(log[1].Format))).toContain('$context.status');
    expect(log[1].Format).not.toMatch(
      /identity|sourceIp|userAgent|principalId|connectionId|authorizer\.sub/,
    );
  });
  test("gets changes of links and days only, for a minute, a shard's batches one at a time", () => {
    expects({
      [mapping]: {
        EventSourceArn: 'stream:ClickTable',
        StartingPosition: 'LATEST',
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        MaximumRecordAgeInSeconds: 60,
      },
    });
    const { FilterCriteria, ParallelizationFactor = 1 } = read(mapping);
    const { Filters } = FilterCriteria;
    const SK = { S: ['META', { prefix: 'STAT#' }] };
    const links = { Keys: { PK: { S: [{ prefix: 'LINK#' }] }, SK } };
    expect(Filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual([
      { eventName: ['INSERT', 'MODIFY'], dynamodb: links },
    ]);
    // Parallel batches of a shard would push more often than intended.
    expect(ParallelizationFactor).toBe(1);
    expect(number('PushCountsLambdaFunction', 'Timeout') * 1000).toBeGreaterThan(pushTimeoutMs);
  });
});
