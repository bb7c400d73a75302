import type { TestProject } from 'vitest/node';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the engine of this vitest project answers. Each test file has a table of its own. */
    endpoint: string;
  }
}

/** Starts one engine for all files of a vitest project. A Java virtual machine for each takes seconds of CPU. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { engine } = project.config.provide;
  const { endpoint, stop } = await startDynamoDb(engine ? { engine } : {});
  project.provide('endpoint', endpoint);
  return stop;
}
