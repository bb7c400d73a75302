import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { areas } from '../../../mutants/settings.ts';

test('all code but the exhibit of the gauntlet is in one area', () => {
  const code = globSync(['lib/**/*.ts', 'functions/**/*.ts', 'packages/*/src/*.ts']).filter(
    (file) => !file.includes('hand-rolled'),
  );

  const inAreas = areas.flatMap((area) => globSync(area.code));

  expect(inAreas.toSorted()).toEqual(code.toSorted());
});

test.each(areas.flatMap(({ tests }) => tests))('%s are tests that exist', (pattern) => {
  expect(globSync(pattern)).not.toEqual([]);
});
