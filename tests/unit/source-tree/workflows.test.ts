import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Job {
  steps: { uses?: string; run?: string; with?: object; env?: object }[];
  permissions?: object;
}
interface Workflow {
  permissions?: object;
  jobs: Record<string, Job>;
}

const github = new URL('../../../.github/', import.meta.url);
const read = (name: string) => readFile(new URL(name, github), 'utf8');
const names = (await readdir(new URL('workflows/', github))).toSorted();

/** The jobs that need more than read access to the repository. */
const permissions: Record<string, Record<string, string>> = {
  'nightly.yml simulate': { contents: 'read', issues: 'write' },
  'pages.yml deploy': { pages: 'write', 'id-token': 'write' },
  'release.yml tested': { actions: 'read' },
  'release.yml release': { attestations: 'write', contents: 'write', 'id-token': 'write' },
  'release-package.yml tested': { actions: 'read' },
  'release-package.yml publish': { contents: 'read', 'id-token': 'write' },
  'release-package.yml release': { contents: 'write' },
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

    const scripts = jobs.flatMap(([, job]) => job.steps.flatMap(({ run }) => run ?? []));
    const isUnsafe = (script: string) => script.includes('${{') || installs.test(script);
    expect(scripts.filter(isUnsafe)).toEqual([]);
  });
});

test("only a deployment in a stage's environment, which reviewers approve, may assume the stage's role", async () => {
  const { jobs }: Workflow = parse(await read('workflows/deploy.yml'));
  // Unknown tags, such as !Ref, parse as their arguments.
  const { Resources } = parse(await read('deploy-role.yml'), { logLevel: 'error' });
  const issuer = 'token.actions.githubusercontent.com';
  const StringEquals = {
    [`${issuer}:aud`]: 'sts.amazonaws.com',
    [`${issuer}:sub`]: expect.stringMatching(/^repo:\$\{Repository\}:environment:\$\{Stage\}$/),
  };
  const { Statement } = Resources.DeployRole.Properties.AssumeRolePolicyDocument;

  const environment = ['$', '{{ inputs.stage }}'].join('');
  expect(jobs.deploy).toMatchObject({ needs: 'tested', environment });
  // tests/infrastructure/deploy-role.test.ts covers the permissions.
  expect(Statement).toHaveLength(1);
  expect(Statement[0].Action).toBe('sts:AssumeRoleWithWebIdentity');
  expect(Statement[0].Condition).toEqual({ StringEquals });
});
