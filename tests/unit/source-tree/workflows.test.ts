import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

interface Job {
  steps: Step[];
  permissions?: Record<string, string>;
  environment?: string;
  needs?: string;
}

interface Workflow {
  on: { workflow_dispatch?: { inputs?: Record<string, { options?: string[] }> } };
  permissions?: Record<string, string>;
  concurrency?: Record<string, unknown>;
  jobs: Record<string, Job>;
}

const github = new URL('../../../.github/', import.meta.url);
const read = (name: string) => readFile(new URL(name, github), 'utf8');
const names = (await readdir(new URL('workflows/', github))).toSorted();

/** The jobs that need more than read access to the repository. */
const permissions: Record<string, Record<string, string>> = {
  'nightly.yml simulate': { contents: 'read', issues: 'write' },
  'release.yml tested': { actions: 'read' },
  'release.yml publish': { contents: 'read', 'id-token': 'write' },
  'release.yml release': { contents: 'write' },
  'deploy.yml tested': { actions: 'read' },
  'deploy.yml deploy': { contents: 'read', 'id-token': 'write' },
};

describe.each(names)('the workflow %s', async (name) => {
  const source = await read(`workflows/${name}`);
  const workflow: Workflow = parse(source);
  const jobs = Object.entries(workflow.jobs);
  const steps = jobs.flatMap(([, job]) => job.steps);

  test('pins every action to a commit and names its version', () => {
    const used = source.split('\n').filter((line) => line.includes('uses:'));

    expect(used.length).toBeGreaterThanOrEqual(steps.filter(({ uses }) => uses).length);
    for (const line of used) {
      expect(line).toMatch(/^ +(- )?uses: [\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test('may read the repository, and each job only what it also needs', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const [id, job] of jobs) expect(job.permissions).toEqual(permissions[`${name} ${id}`]);
  });

  test('leaves no token in its checkout', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));

    for (const step of checkouts) expect(step.with).toMatchObject({ 'persist-credentials': false });
  });

  test('interpolates nothing into a script, which would allow command injection', () => {
    const scripts = steps.flatMap(({ run }) => run ?? []);

    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });
});

test("a workflow runs no install script of a package, whatever its Node's npm", async () => {
  const all: Workflow[] = await Promise.all(
    names.map(async (name) => parse(await read(`workflows/${name}`))),
  );
  const scripts = all.flatMap(({ jobs }) =>
    Object.values(jobs).map(({ steps }) => steps.flatMap(({ run }) => run ?? [])),
  );
  const installs = (script: string) => script.match(/npm (--prefix \S+ )?ci(?! --ignore-scripts)/);

  expect(scripts.flat().filter(installs)).toEqual([]);
  // These are the README's own commands, so they need an npm that refuses the scripts.
  for (const job of scripts.filter((job) => job.includes('bash .ci/run'))) {
    expect(job.at(-2)).toBe('npm install --global npm@11.19.1');
  }
});

describe('the deployment', async () => {
  const { on, concurrency, jobs }: Workflow = parse(await read('workflows/deploy.yml'));
  // Unknown tags, such as !Ref, parse as their arguments.
  const template = parse(await read('deploy-role.yml'), { logLevel: 'error' });
  const { DeployRole, Provider } = template.Resources;
  const stages = ['dev', 'staging', 'prod'];
  const chosen = ['$', '{{ inputs.stage }}'].join('');
  const scripts = jobs.deploy?.steps.flatMap(({ run }) => run ?? []) ?? [];

  test("is started by hand for one stage, and waits for its commit's tests and its environment's reviewers", () => {
    expect(Object.keys(on)).toEqual(['workflow_dispatch']);
    expect(on.workflow_dispatch?.inputs?.stage?.options).toEqual(stages);
    expect(concurrency).toEqual({ group: `deploy-${chosen}`, 'cancel-in-progress': false });
    expect(jobs.deploy).toMatchObject({ needs: 'tested', environment: chosen });
    expect(jobs.tested?.steps[0]?.run).toMatch(/--workflow ci\.yml --commit "\$GITHUB_SHA"/);
  });

  test('runs no package scripts with its permissions, and tests only dev', () => {
    const installs = scripts.filter((script) => script.includes('npm ci'));

    expect(installs).toEqual(['npm ci --ignore-scripts']);
    expect(jobs.deploy?.steps.at(-1)).toMatchObject({ if: "inputs.stage == 'dev'" });
  });

  test("has a role that trusts only this repository's environment", () => {
    const { Statement } = DeployRole.Properties.AssumeRolePolicyDocument;

    expect(template.Parameters.Stage.AllowedValues).toEqual(stages);
    expect(Provider.Properties.ClientIdList).toEqual(['sts.amazonaws.com']);
    const issuer = 'token.actions.githubusercontent.com';
    const subject = /^repo:\$\{Repository\}:environment:\$\{Stage\}$/;
    const StringEquals = {
      [`${issuer}:aud`]: 'sts.amazonaws.com',
      [`${issuer}:sub`]: expect.stringMatching(subject),
    };
    expect(Statement).toMatchObject([
      { Action: 'sts:AssumeRoleWithWebIdentity', Condition: { StringEquals } },
    ]);
    expect(Object.keys(Statement[0].Condition)).toEqual(['StringEquals']);
  });

  // tests/infrastructure/deploy-role.test.ts covers the role's permissions.
  test('gives every role the permissions boundary that its own role requires', () => {
    const { env } = jobs.deploy?.steps.find(({ run }) => run?.startsWith('npx sls')) ?? {};

    expect(env).toMatchObject({ PERMISSIONS_BOUNDARY: `deploy-click-tally-${chosen}` });
    expect(template.Resources.Boundary.Properties.ManagedPolicyName).toBe(
      ['deploy-click-tally-$', '{Stage}'].join(''),
    );
  });
});

test('a release is published by hand, with provenance, once all tests have passed and a reviewer agrees', async () => {
  const { on, jobs }: Workflow = parse(await read('workflows/release.yml'));
  const scripts = jobs.publish?.steps.flatMap(({ run }) => run ?? []) ?? [];

  expect(Object.keys(on)).toEqual(['workflow_dispatch']);
  const needs = ['tested', 'dynamodb-local'];
  expect(jobs.publish).toMatchObject({ needs, environment: 'npm' });
  expect(jobs.release).toMatchObject({ needs: 'publish' });
  expect(scripts.filter((script) => / ci\b/.test(script))).toEqual([
    'npm --prefix ../.. ci --ignore-scripts',
  ]);
  expect(scripts.slice(-2)).toEqual([
    'npm run build',
    'npm publish ./.build --provenance --access public',
  ]);
});
