import { startDynamoDb } from '../../local/engines/dynamodb.ts';
/** Starts one engine for all files of a vitest project, because a Java VM takes seconds to start. */
export default async function setUp(project) {
    const { engine } = project.config.provide;
    const { endpoint, stop } = await startDynamoDb(engine ? { engine } : {});
    project.provide('endpoint', endpoint);
    return stop;
}
