import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Job {
  steps: { uses?: string; run?: string; with?: object; env?: object }[];
  permissions?: object;
}
interface Workflow {
  on: { workflow_dispatch?: { inputs?: Record<string, { options?: string[] }> } };
  permissions?: object;
  concurrency?: object;
  jobs: Record<string, Job>;
}

const github = new URL('../../../.github/', import.meta.url);
const read = (name: string) => readFile(new URL(name, github), 'utf8');
const names = (await readdir(new URL('workflows/', github))).toSorted();
const scriptsOf = (job?: Job) => job?.steps.flatMap(({ run }) => run ?? []) ?? [];

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

  test('pins every action to a commit and names its version', () => {
    const used = source.split('\n').filter((line) => line.includes('uses:'));
    const pinned = /^ +(- )?uses: [\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

    expect(used.filter((line) => !pinned.test(line))).toEqual([]);
  });

  test('may read the repository, and each job only what it also needs', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const [id, job] of jobs) expect(job.permissions).toEqual(permissions[`${name} ${id}`]);
  });

  test('leaves no token in its checkout', () => {
    const steps = jobs.flatMap(([, job]) => job.steps);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));

    for (const step of checkouts) expect(step.with).toMatchObject({ 'persist-credentials': false });
  });

  test('interpolates nothing into a script, which would allow command injection, and runs no install script', () => {
    const installs = /npm (--prefix \S+ )?ci(?! --ignore-scripts)/;

    for (const scripts of jobs.map(([, job]) => scriptsOf(job))) {
      expect(scripts.filter((script) => script.includes('${{') || installs.test(script))).toEqual(
        [],
      );
      // This runs the README's own commands, so it needs an npm that refuses the scripts.
      if (!scripts.some((script) => script.includes('bash .ci/run'))) continue;
      expect(scripts.at(-2)).toBe('npm install --global npm@11.19.1');
    }
  });
});

test('a deployment is started by hand, waits for tests and reviewers, and has a role for its stage only', async () => {
  const { on, concurrency, jobs }: Workflow = parse(await read('workflows/deploy.yml'));
  // Unknown tags, such as !Ref, parse as their arguments.
  const template = parse(await read('deploy-role.yml'), { logLevel: 'error' });
  const { DeployRole, Provider, Boundary } = template.Resources;
  const stages = ['dev', 'staging', 'prod'];
  const chosen = ['$', '{{ inputs.stage }}'].join('');
  const ofStage = (start: string) => expect.stringMatching(new RegExp(`^${start}\\$\\{Stage\\}$`));

  expect(Object.keys(on)).toEqual(['workflow_dispatch']);
  expect(on.workflow_dispatch?.inputs?.stage?.options).toEqual(stages);
  expect(concurrency).toEqual({ group: `deploy-${chosen}`, 'cancel-in-progress': false });
  expect(jobs.deploy).toMatchObject({ needs: 'tested', environment: chosen });
  expect(scriptsOf(jobs.tested)[0]).toMatch(/--workflow ci\.yml --commit "\$GITHUB_SHA"/);
  // It tests only dev.
  expect(jobs.deploy?.steps.at(-1)).toMatchObject({ if: "inputs.stage == 'dev'" });
  expect(template.Parameters.Stage.AllowedValues).toEqual(stages);
  expect(Provider.Properties.ClientIdList).toEqual(['sts.amazonaws.com']);
  const issuer = 'token.actions.githubusercontent.com';
  const StringEquals = {
    [`${issuer}:aud`]: 'sts.amazonaws.com',
    [`${issuer}:sub`]: ofStage('repo:\\$\\{Repository\\}:environment:'),
  };
  const { Statement } = DeployRole.Properties.AssumeRolePolicyDocument;
  expect(Statement).toHaveLength(1);
  expect(Statement[0].Action).toBe('sts:AssumeRoleWithWebIdentity');
  expect(Statement[0].Condition).toEqual({ StringEquals });
  // Every role gets the boundary that its own role requires. tests/infrastructure/deploy-role.test.ts
  // covers the permissions.
  const { env } = jobs.deploy?.steps.find(({ run }) => run?.startsWith('npx sls')) ?? {};
  expect(env).toMatchObject({ PERMISSIONS_BOUNDARY: `deploy-click-tally-${chosen}` });
  expect(Boundary.Properties.ManagedPolicyName).toEqual(ofStage('deploy-click-tally-'));
});
