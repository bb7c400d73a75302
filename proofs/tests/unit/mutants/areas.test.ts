import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { areas } from '../../../mutants/areas.ts';

test("every file except the gauntlet's hand-rolled counter is in exactly one area", () => {
  const code = globSync(['lib/**/*.ts', 'functions/**/*.ts', 'packages/*/src/*.ts']).filter(
    (file) => !file.includes('hand-rolled'),
  );

  const inAreas = areas.flatMap((area) => globSync(area.code));

  expect(inAreas.toSorted()).toEqual(code.toSorted());
});

test.each(areas.flatMap(({ tests }) => tests))('%s matches existing tests', (pattern) => {
  expect(globSync(pattern)).not.toEqual([]);
});
