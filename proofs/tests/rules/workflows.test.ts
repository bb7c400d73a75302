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
