import type { TestProject } from 'vitest/node';
import { startDynamoDb } from '../../local/engines/dynamodb.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The engine of this vitest project. Each test file has its own table. */
    endpoint: string;
  }
}

/** Starts one engine for all files of a vitest project, because a Java VM takes seconds to start. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { engine } = project.config.provide;
  const { endpoint, stop } = await startDynamoDb(engine ? { engine } : {});
  project.provide('endpoint', endpoint);
  return stop;
}
