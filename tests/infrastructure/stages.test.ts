import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { projectDir } from '../../local/engines/serverless.ts';
import { deployedStages, variants } from './package-stages.ts';
import {
  aggregatorId,
  environmentOf,
  mappingId,
  numberOf,
  ofType,
  packaged,
  propertiesOf,
  readStage,
  stageOf,
  stages,
} from './stage-template.ts';

describe('the stages', async () => {
  const templates = await Promise.all(
    stages.map(async (stage) => [stage, await readStage(stage)] as const),
  );
  const byStage = <T>(read: (template: (typeof templates)[number][1]) => T) =>
    Object.fromEntries(templates.map(([stage, template]) => [stage, read(template)]));

  test('protect links and users in prod only', () => {
    const table = byStage(
      (template) => propertiesOf(template, 'ClickTable').DeletionProtectionEnabled,
    );
    const users = byStage((template) => propertiesOf(template, 'UserPool').DeletionProtection);

    expect(table).toEqual({ local: false, dev: false, staging: false, prod: true });
    expect(users).toEqual({
      local: 'INACTIVE',
      dev: 'INACTIVE',
      staging: 'INACTIVE',
      prod: 'ACTIVE',
    });
  });

  test('load the X-Ray SDK only if functions are traced', () => {
    const tracing = byStage((template) => {
      const { Mode } = propertiesOf(template, aggregatorId).TracingConfig as { Mode: string };
      return `${Mode} ${environmentOf(template, aggregatorId).POWERTOOLS_TRACE_ENABLED}`;
    });

    const [on, off] = ['Active true', 'PassThrough false'];
    expect(tracing).toEqual({ local: on, dev: on, staging: off, prod: off });
  });
});

describe.each(packaged)('the stage %s', async (name) => {
  const template = await readStage(name);
  const functionIds = Object.keys(ofType(template, 'AWS::Lambda::Function'));

  test('has no circular dependencies', () => {
    const ids = Object.keys(template.Resources);
    const reference = /"Ref":"([^"]+)"|"Fn::GetAtt":\[?"(\w+)|\$\{(\w+)[.}]/g;
    const next = (id: string) => {
      const { DependsOn = [], ...resource } = template.Resources[id] ?? {};
      const references = JSON.stringify(resource).matchAll(reference);
      return [...references, ...[DependsOn].flat()].flat();
    };
    const reach = (from: string[], known = new Set<string>()): Set<string> => {
      const found = from.flatMap(next).filter((id) => ids.includes(id) && !known.has(id));
      return found.length === 0 ? known : reach([...new Set(found)], known.union(new Set(found)));
    };

    expect(reach(['CreateLinkLambdaFunction'])).toContain('HttpApi');
    expect(ids.filter((id) => reach([id]).has(id))).toEqual([]);
  });

  test('retains links and users after the stack only if it protects them', () => {
    const isProtected = propertiesOf(template, 'ClickTable').DeletionProtectionEnabled;
    const policy = isProtected ? 'Retain' : 'Delete';
    const kept = { DeletionPolicy: policy, UpdateReplacePolicy: policy };

    expect(template.Resources.ClickTable).toMatchObject(kept);
    expect(template.Resources.UserPool).toMatchObject(kept);
  });

  test('has a table with a TTL and point-in-time recovery', () => {
    expect(propertiesOf(template, 'ClickTable')).toMatchObject({
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  // Otherwise counting a click would write to the index, too.
  test('has an index of owners without a field that counting changes', () => {
    const index = {
      IndexName: 'LinksByOwner',
      KeySchema: [{ AttributeName: 'owner' }, { AttributeName: 'createdAt' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    };
    expect(propertiesOf(template, 'ClickTable')).toMatchObject({ GlobalSecondaryIndexes: [index] });
  });

  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
  test("limits concurrency to between Lambda's minimum and what contention permits", () => {
    const concurrency = numberOf(template, mappingId, 'ScalingConfig', 'MaximumConcurrency');

    expect(concurrency).toBeGreaterThanOrEqual(2);
    expect(concurrency).toBeLessThanOrEqual(10);
  });

  test.each(functionIds)('%s runs on Node 24 and arm64 and knows its stage', (id) => {
    expect(propertiesOf(template, id)).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
    });
    expect(environmentOf(template, id)).toMatchObject({
      STAGE: stageOf(name),
      TABLE_NAME: 'ClickTable',
      POWERTOOLS_SERVICE_NAME: 'click-tally',
      POWERTOOLS_METRICS_NAMESPACE: 'ClickTally',
    });
  });

  test('keeps the logs of functions, APIs and unmatched events for the same limited time', () => {
    const logGroups = Object.values(ofType(template, 'AWS::Logs::LogGroup'));
    const retentions = logGroups.map(({ Properties }) => Properties.RetentionInDays);

    expect(logGroups).toHaveLength(functionIds.length + 3);
    expect(new Set(retentions).size).toBe(1);
    expect(retentions[0]).toBeGreaterThan(0);
  });

  test('has the outputs that operators and tests use', () => {
    expect(Object.keys(template.Outputs)).toEqual(
      expect.arrayContaining([
        ...['ApiUrl', 'TableName', 'ClickQueueUrl', 'ClickDlqUrl', 'ClickRuleDlqUrl', 'BusName'],
        ...['UserPoolId', 'UserPoolClientId', 'CommandClientId', 'LiveUrl'],
        ...['CommandSignIn', 'CommandCallback', 'SignInIssuer', 'SignInScope'],
      ]),
    );
  });

  test("limits a user to 1,000 links a day, ten connections and less than half of a route's rate", () => {
    const { DefaultRouteSettings } = propertiesOf(template, 'HttpApiStage');
    const { ThrottlingRateLimit } = DefaultRouteSettings as { ThrottlingRateLimit: number };
    const perMinute = environmentOf(template, 'ListLinksLambdaFunction');

    expect(environmentOf(template, 'CreateLinkLambdaFunction').LINKS_PER_DAY).toBe('1000');
    expect(environmentOf(template, 'OpenConnectionLambdaFunction').CONNECTIONS_PER_USER).toBe('10');
    expect(perMinute.REQUESTS_PER_USER_PER_MINUTE).toBe('1200');
    expect(1_200).toBeLessThan((ThrottlingRateLimit * 60) / 2);
  });
});

test.each([...deployedStages, ...Object.keys(variants)])(
  'packaging %s prints no warning',
  (name) => {
    const output = inject('stagePackages')[name]?.output ?? '';
    expect(output).toContain('Service packaged');
    expect(output).not.toMatch(/warn|deprecat|invalid|not found|cannot/i);
  },
);

describe('serverless.yml', async () => {
  const read = (file: string) => readFile(path.join(projectDir, file), 'utf8');
  const service = await read('serverless.yml');

  test('includes every file in infra/, directly or indirectly', async () => {
    const all = await readdir(path.join(projectDir, 'infra'), { recursive: true });
    const files = all.filter((file) => /\.(yml|cjs)$/.test(file));
    const texts = await Promise.all(files.map((file) => read(`infra/${file}`)));
    const included = [service, ...texts].flatMap((text) => [
      ...text.matchAll(/\bfile\(infra\/([\w/-]+\.\w+)\)|\binfra\/([\w-]+\.cjs)$/gm),
    ]);
    const required = files.flatMap((file, index) =>
      [...(texts[index] ?? '').matchAll(/\brequire\('(\.[\w./-]+\.cjs)'\)/g)].map(
        ([, other = '']) => path.join(path.dirname(file), other),
      ),
    );
    const used = [...included.map(([, file, plugin]) => file ?? plugin), ...required];
    expect([...new Set(used)].toSorted()).toEqual(files.toSorted());
  });
});
