import { expect, test } from 'vitest';
import { packageTemplate } from '../../local/engines/serverless.ts';
import { createTestDir } from '../helpers/test-dir.ts';
import { common, stageWithCode } from './package-stages.ts';
import { readPackage, readStage, type StageTemplate } from './stage-template.ts';

/** Without the time of packaging. */
const withoutTime = (template: StageTemplate) =>
  JSON.parse(JSON.stringify(template).replaceAll(/\d+-\d{4}-\d\d-\d\dT[\d:.]+Z/g, ''));

test('a package with empty functions has the same template as one with code', async () => {
  await using dir = await createTestDir();

  await packageTemplate({ stage: stageWithCode, outDir: dir.path, params: common });

  const empty = await readPackage(dir.path);
  expect(withoutTime(empty)).toEqual(withoutTime(await readStage(stageWithCode)));
});
