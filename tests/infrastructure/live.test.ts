import { describe, expect, test } from 'vitest';
import { pushTimeoutMs } from '../../lib/live/push.ts';
import {
  environmentOf,
  isTrue,
  numberOf,
  ofType,
  propertiesOf,
  readStage,
  resolve,
  stages,
} from './stage-template.ts';

const liveStage = 'WebsocketsDeploymentStage';
const mapping = 'PushCountsEventSourceMappingDynamodbClickTable';

describe.each(stages)('the live page of %s', async (stage) => {
  const template = await readStage(stage);

  test('checks a token when a connection opens, and has a route for every message', () => {
    const routes = Object.values(ofType(template, 'AWS::ApiGatewayV2::Route'))
      .filter(({ Properties }) => resolve(template, Properties.ApiId) === 'WebsocketsApi')
      .map(({ Properties }) => [
        ...[Properties.RouteKey, Properties.AuthorizationType],
        `${resolve(template, Properties.Target)}`.replace(/^integrations.|WebsocketsI.*/g, ''),
      ]);

    expect(routes).toEqual([
      ['$connect', 'CUSTOM', 'OpenConnection'],
      ['$disconnect', 'NONE', 'CloseConnection'],
      ...['watch', 'unwatch', 'ping', '$default'].map((key) => [key, 'NONE', 'WatchLinks']),
    ]);
    expect(propertiesOf(template, 'AuthorizeConnectionWebsocketsAuthorizer')).toMatchObject({
      AuthorizerType: 'REQUEST',
      // Not the URL, which may be logged.
      IdentitySource: ['route.request.header.Sec-WebSocket-Protocol'],
    });
    expect(environmentOf(template, 'AuthorizeConnectionLambdaFunction')).toMatchObject({
      JWT_ISSUER: 'https://cognito-idp.us-east-1.amazonaws.com/UserPool',
      JWT_AUDIENCE: 'UserPoolClient',
    });
  });

  test('can be invoked only by its own API', () => {
    const sourceOf = (name: string) =>
      resolve(template, propertiesOf(template, `${name}LambdaPermissionWebsockets`).SourceArn);
    const api = 'arn:aws:execute-api:us-east-1:123456789012:WebsocketsApi';

    expect(sourceOf('AuthorizeConnection')).toBe(`${api}/authorizers/*`);
    for (const name of ['OpenConnection', 'CloseConnection', 'WatchLinks']) {
      expect(sourceOf(name)).toBe(`${api}/${stage}/*`);
    }
  });

  test('logs neither messages nor their senders', () => {
    const settings = propertiesOf(template, liveStage);
    expect(settings.DefaultRouteSettings).toMatchObject({
      ...{ DataTraceEnabled: false, DetailedMetricsEnabled: false, LoggingLevel: 'OFF' },
    });
    const { 'Fn::If': log } = settings.AccessLogSettings as {
      'Fn::If': [string, { Format: string }];
    };
    // Without a logging role in the account's settings, the deployment would fail.
    expect(isTrue(template, log[0])).toBe(false);
    expect(Object.values(JSON.parse(log[1].Format))).toContain('$context.status');
    expect(log[1].Format).not.toMatch(
      /identity|sourceIp|userAgent|principalId|connectionId|authorizer\.sub/,
    );
  });

  test('has its URL as an output, and its functions know their endpoint', () => {
    const address = `WebsocketsApi.execute-api.us-east-1.amazonaws.com/${stage}`;

    expect(resolve(template, template.Outputs.LiveUrl?.Value)).toBe(`wss://${address}`);
    for (const id of ['PushCountsLambdaFunction', 'WatchLinksLambdaFunction']) {
      expect(environmentOf(template, id).LIVE_ENDPOINT).toBe(`https://${address}`);
    }
  });

  test('gets changes of links and days, and of no other item', () => {
    const { FilterCriteria, ...settings } = propertiesOf(template, mapping);

    expect(resolve(template, settings)).toMatchObject({
      EventSourceArn: 'stream:ClickTable',
      StartingPosition: 'LATEST',
    });
    const { Filters } = FilterCriteria as { Filters: { Pattern: string }[] };
    expect(Filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual([
      {
        eventName: ['INSERT', 'MODIFY'],
        dynamodb: { Keys: { PK: { S: [{ prefix: 'LINK#' }] } } },
      },
    ]);
  });

  // Parallel batches of a shard would push more often than intended.
  test("gives up a record after a minute, processes a shard's batches one at a time, and has time to push", () => {
    expect(propertiesOf(template, mapping)).toMatchObject({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRecordAgeInSeconds: 60,
    });
    expect(propertiesOf(template, mapping).ParallelizationFactor ?? 1).toBe(1);
    const timeoutSeconds = numberOf(template, 'PushCountsLambdaFunction', 'Timeout');
    expect(timeoutSeconds * 1_000).toBeGreaterThan(pushTimeoutMs);
  });
});
