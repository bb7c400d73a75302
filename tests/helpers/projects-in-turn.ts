import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Takes a file of each project in turn, the longest first. By default, Vitest runs project after
 * project, so first files that wait for queues and browsers, and then files that compute.
 */
export class ProjectsInTurn extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...Map.groupBy(sorted, ({ project }) => project.name).values()];
    const turns = Math.max(0, ...projects.map(({ length }) => length));
    return Array.from({ length: turns }, (_, turn) =>
      projects.flatMap((own) => own.slice(turn, turn + 1)),
    ).flat();
  }
}
