import { readdir, readFile } from 'node:fs/promises';
import { convertWorkflowTemplate, parseWorkflow } from '@actions/workflow-parser';
import { expect, test } from 'vitest';

const folder = '.github/workflows/';
const quiet = { error() {}, info() {}, verbose() {} };

/** What GitHub's own parser finds wrong in a workflow. */
async function findErrors(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, quiet);
  if (value) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

test.each(await readdir(folder))('GitHub can read the workflow %s', async (name) => {
  expect(await findErrors(name, await readFile(folder + name, 'utf8'))).toEqual([]);
});

test.each([
  ['an unknown key', 'runs-on:', 'runs-onn:'],
  ['an unknown context', 'github.token', 'githubb.token'],
  ['an unknown right', 'id-token: write', 'id-tokens: write'],
  ['a job that does not exist', 'needs: publish', 'needs: publishing'],
])('GitHub cannot read %s', async (_, right, wrong) => {
  const release = await readFile(`${folder}release.yml`, 'utf8');

  expect(await findErrors('release.yml', release.replaceAll(right, wrong))).not.toEqual([]);
});
