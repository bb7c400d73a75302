import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readOutput, startServerless } from '../../local/engines/serverless.ts';
import { type HttpRequest, startHttpServer } from '../../loopback/http-server.ts';
import { isolatedEnvironment } from '../helpers/command.ts';
import { packageDirOf } from './stage-template.ts';

const load = createRequire(import.meta.url);
const stack = 'click-tally-dev';
const clickQueue3 = {
  Type: 'AWS::SQS::Queue',
  DeletionPolicy: 'RetainExceptOnCreate',
  Properties: { QueueName: `${stack}-clicks-3` },
};

type Resources = Record<string, { Type: string; DeletionPolicy?: string; Properties?: object }>;

interface Account {
  /** The resources of the deployed template; undefined if the stage isn't deployed. */
  deployed?: Resources;
  /** The messages in each queue: waiting, delayed and in flight. */
  messages?: [number, number, number];
  routes?: string[];
  routesWithSettings?: string[];
  /** The concurrency that no function of the account has reserved; 1,000 by default. */
  unreserved?: number;
  /** API Gateway's role for logs. */
  logRole?: string;
  /** The template in the bucket, of the deployment 1795299558535. */
  earlier?: Resources;
}

const isOf = (request: HttpRequest, action: string) =>
  new URLSearchParams(request.body).get('Action') === action ||
  `${request.headers['x-amz-target']}`.endsWith(`.${action}`);

const xml = (action: string, result: string) => ({
  status: 200,
  body: `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`,
});

const folder = 'serverless/click-tally/dev/1795299558535-2026-11-22T08:19:18.535Z';
const key = `${folder}/compiled-cloudformation-template.json`;

/** What AWS answers to the plugin; an error to the framework's own requests after it. */
function answer(account: Account, request: HttpRequest) {
  const { method, path: address } = request;
  if (isOf(request, 'GetTemplate')) {
    if (!account.deployed) {
      const message = `Stack with id ${stack} does not exist`;
      const error = `<Code>ValidationError</Code><Message>${message}</Message>`;
      return { status: 400, body: `<ErrorResponse><Error>${error}</Error></ErrorResponse>` };
    }
    const template = JSON.stringify({ Resources: account.deployed });
    return xml('GetTemplate', `<TemplateBody>${template}</TemplateBody>`);
  }
  if (isOf(request, 'DescribeStackResource')) {
    const id = new URLSearchParams(request.body).get('LogicalResourceId');
    const name = id?.toLowerCase();
    const detail = `<PhysicalResourceId>${name}</PhysicalResourceId>`;
    return xml('DescribeStackResource', `<StackResourceDetail>${detail}</StackResourceDetail>`);
  }
  if (isOf(request, 'GetQueueAttributes')) {
    const [waiting, delayed, inFlight] = account.messages ?? [0, 0, 0];
    const attributes = {
      ApproximateNumberOfMessages: `${waiting}`,
      ApproximateNumberOfMessagesDelayed: `${delayed}`,
      ApproximateNumberOfMessagesNotVisible: `${inFlight}`,
    };
    return { status: 200, body: { Attributes: attributes } };
  }
  if (address.includes('/account-settings')) {
    const limit = { UnreservedConcurrentExecutions: account.unreserved ?? 1_000 };
    return { status: 200, body: { AccountLimit: limit } };
  }
  if (address === '/account') {
    return { status: 200, body: { cloudwatchRoleArn: account.logRole } };
  }
  if (address === '/v2/apis/httpapi/routes') {
    const items = account.routes?.map((routeKey) => ({ routeKey }));
    return { status: 200, body: { items } };
  }
  if (method === 'GET' && address === '/v2/apis/httpapi/stages/%24default') {
    const settings = account.routesWithSettings?.map((routeKey) => [routeKey, {}]) ?? [];
    return { status: 200, body: { routeSettings: Object.fromEntries(settings) } };
  }
  if (method === 'DELETE') return { status: 204, body: '' };
  if (address.includes('list-type=2')) {
    const contents = account.earlier ? `<Contents><Key>${key}</Key></Contents>` : '';
    return { status: 200, body: `<ListBucketResult>${contents}</ListBucketResult>` };
  }
  if (address.includes('compiled-cloudformation-template.json')) {
    return { status: 200, body: { Resources: account.earlier } };
  }
  return {
    status: 403,
    body: '<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>',
  };
}

/** Runs the framework against an account. `sent` has the framework's and the plugin's requests. */
async function run(args: string[], account: Account, stage = 'dev') {
  const requests: HttpRequest[] = [];
  const { url, stop } = await startHttpServer(async (request) => {
    requests.push(request);
    return answer(account, request);
  });
  await using _ = { [Symbol.asyncDispose]: stop };
  const env = isolatedEnvironment({
    SLS_SCHEMA_CACHE_BASE_DIR: homedir(),
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL: url,
    AWS_MAX_ATTEMPTS: '1',
  });
  const child = await startServerless([...args, '--stage', stage], { env, isEmpty: true });
  await child.exited;
  const output = readOutput(child);
  const goesOn = requests.some((request) =>
    ['DescribeStacks', 'CreateStack', 'UpdateStack'].some((action) => isOf(request, action)),
  );
  const removed = requests
    .filter(({ method }) => method === 'DELETE')
    .map((request) => request.path);
  const reasons = output.split('\n').filter((line) => line.startsWith('expected '));
  return { reasons, goesOn, removed, output };
}

const deploy = (account: Account) => run(['deploy', '--package', packageDirOf('dev')], account);

/** What the plugins use of the framework, with AWS at `url`. */
const makeFramework = (url: string, custom: object, next: Resources = {}) => ({
  classes: { Error },
  service: { custom, provider: { compiledCloudFormationTemplate: { Resources: next } } },
  getProvider: () => ({
    naming: { getStackName: () => stack },
    getAwsSdkV3Config: async () => ({
      region: 'us-east-1',
      endpoint: url,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  }),
});

/** Why a plugin stops a deployment of these resources to an account, without the framework. */
async function judge(
  plugin: 'deployed-stage' | 'account-checks',
  account: Account,
  next: Resources,
) {
  const { url, stop } = await startHttpServer(async (request) => answer(account, request));
  await using _ = { [Symbol.asyncDispose]: stop };
  const { hooks } = new (load(`../../infra/${plugin}.cjs`))(makeFramework(url, {}, next));
  try {
    await hooks['before:aws:deploy:deploy:createStack']();
  } catch (error) {
    return (error as Error).message.split('\n');
  }
  return [];
}

async function readResources(stage: 'dev' | 'staging'): Promise<Resources> {
  const file = path.join(packageDirOf(stage), 'cloudformation-template-update-stack.json');
  return JSON.parse(await readFile(file, 'utf8')).Resources;
}

/** dev's resources, which a deployment of the same package would deploy again. */
const present = await readResources('dev');

test('a deployment that removes a queue with clicks stops before it changes anything', async () => {
  const { reasons, goesOn } = await deploy({
    deployed: { ...present, ClickQueue3: clickQueue3 },
    messages: [30, 1, 4],
  });

  expect(reasons).toEqual([
    expect.stringMatching(
      /ClickQueue3 of click-tally-dev to be empty.*; got 35 messages\. Keep clickQueues/,
    ),
  ]);
  expect(goesOn).toBe(false);
});

test('an empty queue may go if CloudFormation keeps it', async () => {
  const account = { deployed: { ...present, ClickQueue3: clickQueue3 } };

  expect(await judge('deployed-stage', account, present)).toEqual([]);
});

test('an empty queue may not go if CloudFormation would delete it with clicks that arrive until then', async () => {
  const { DeletionPolicy: _, ...deletedQueue } = clickQueue3;
  const account = { deployed: { ...present, ClickQueue3: deletedQueue } };

  const reasons = await judge('deployed-stage', account, present);

  expect(reasons).toEqual([expect.stringMatching(/ClickQueue3 .* to stay/)]);
});

test('a deployment may not leave out the table or replace it, or replace a queue with clicks', async () => {
  const account: Account = {
    deployed: {
      ...present,
      ClickQueue: clickQueue3,
      ClickTable: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'clicks' } },
      LinkTable: { Type: 'AWS::DynamoDB::Table' },
    },
    messages: [1, 0, 0],
  };

  const reasons = await judge('deployed-stage', account, present);

  expect(reasons).toHaveLength(3);
  expect(reasons).toContainEqual(
    expect.stringContaining('ClickQueue of click-tally-dev to be empty'),
  );
  expect(reasons).toContainEqual(expect.stringContaining('keep ClickTable of click-tally-dev'));
  expect(reasons).toContainEqual(expect.stringContaining('keep LinkTable of click-tally-dev'));
});

test('nothing stops a new stage, or one that stays as it is', async () => {
  expect(await judge('deployed-stage', {}, present)).toEqual([]);
  expect(await judge('deployed-stage', { deployed: present, routes: [] }, present)).toEqual([]);
});

test("a deployment removes the settings of routes that an earlier one left, and no other route's", async () => {
  const { removed, goesOn } = await deploy({
    deployed: present,
    routes: ['GET /links', 'GET /{code}'],
    routesWithSettings: ['GET /links', 'GET /links/sum', 'GET /{code}'],
  });

  expect(removed).toEqual([
    '/v2/apis/httpapi/stages/%24default/routesettings/GET%20%2Flinks%2Fsum',
  ]);
  expect(goesOn).toBe(true);
});

test('a rollback that removes a queue with clicks stops before it changes anything', async () => {
  const { reasons } = await run(['rollback', '--timestamp', '1795299558535'], {
    deployed: { ...present, ClickQueue3: clickQueue3 },
    earlier: present,
    messages: [0, 0, 1],
  });

  expect(reasons).toEqual([expect.stringContaining('got 1 messages')]);
});

test.each([
  { keepData: 'true', sent: ['UpdateTerminationProtection'] },
  { keepData: false, sent: [] },
])(
  'a deployment with keepData: $keepData protects its stack: $sent',
  async ({ keepData, sent }) => {
    const DeployedStage = load('../../infra/deployed-stage.cjs');
    const actions: (string | null)[] = [];
    const { url, stop } = await startHttpServer(async ({ body }) => {
      const query = new URLSearchParams(body);
      if (query.get('EnableTerminationProtection') === 'true') actions.push(query.get('Action'));
      return xml('UpdateTerminationProtection', '');
    });
    await using _ = { [Symbol.asyncDispose]: stop };
    const { hooks } = new DeployedStage(makeFramework(url, { keepData }));

    await hooks['after:aws:deploy:deploy:updateStack']();

    expect(actions).toEqual(sent);
  },
);

// staging reserves 190: 100 for visitors, 10 for the aggregator, and 5 for each of 16 other functions.
test.each([
  { unreserved: 289, deployed: {}, missing: 'expected the account to have 290 unreserved' },
  { unreserved: 290, deployed: {} },
  {
    unreserved: 99,
    deployed: { reserved: 190 },
    missing: 'expected the account to have 100 unreserved',
  },
  { unreserved: 100, deployed: { reserved: 190 } },
])('with $unreserved unreserved executions and $deployed, staging lacks: $missing', async (row) => {
  const { deployed, missing, unreserved } = row;
  const reserved = 'reserved' in deployed ? deployed.reserved : undefined;
  const functions = reserved && {
    ResolveLinkLambdaFunction: {
      Type: 'AWS::Lambda::Function',
      Properties: { ReservedConcurrentExecutions: reserved },
    },
  };
  const account = { unreserved, ...(functions && { deployed: functions }) };

  const reasons = await judge('account-checks', account, await readResources('staging'));

  expect(reasons).toEqual(missing ? [expect.stringContaining(missing)] : []);
});

test('a deployment for which the account lacks executions stops before it changes anything', async () => {
  const { reasons, goesOn } = await run(
    ['deploy', '--package', packageDirOf('staging'), '--param', 'alarmEmail=a@example.com'],
    { unreserved: 289 },
    'staging',
  );

  expect(reasons).toEqual([expect.stringContaining('expected the account to have 290 unreserved')]);
  expect(goesOn).toBe(false);
});

test('the live access log needs a role of API Gateway, which the account may lack', async () => {
  const AccountChecks = load('../../infra/account-checks.cjs');
  const account: Account = {};
  const { url, stop } = await startHttpServer(async (request) => answer(account, request));
  await using _ = { [Symbol.asyncDispose]: stop };
  const check = (liveAccessLog: string) =>
    new AccountChecks(makeFramework(url, { liveAccessLog })).check();

  await expect(check('true')).rejects.toThrow('expected API Gateway to have a role for logs');
  await expect(check('false')).resolves.toBeUndefined();
  account.logRole = 'arn:aws:iam::123456789012:role/logs';
  await expect(check('true')).resolves.toBeUndefined();
});
