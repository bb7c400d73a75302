import { expect, inject } from 'vitest';
import { readTemplate } from '../../local/engines/template.ts';
import { readRoles } from '../helpers/roles.ts';
import { isTrue, resolve } from '../helpers/template-values.ts';
import { deployedStages, variants } from './package-stages.ts';
/** `local` has the settings of any stage without its own. */
export const stages = ['local', ...deployedStages];
export const packaged = [...stages, ...Object.keys(variants)];
export const mappingId = 'AggregateClicksEventSourceMappingSQSClickQueue';
export const packageDirOf = (name) =>
  name === 'local' ? inject('packageDir') : (inject('stagePackages')[name]?.dir ?? '');
/** A packaged stage or variant. */
export async function openStage(name) {
  const stage = name in variants ? variants[name].stage : name;
  return { stage, ...(await openPackage(packageDirOf(name))) };
}
/**
 * The template that `serverless package --package` wrote. Values that only AWS knows are logical ids:
 * `id` of Ref, and `arn:id` or `stream:id` of Fn::GetAtt.
 */
export async function openPackage(dir) {
  const template = await readTemplate(dir);
  const read = (id) => {
    const resource = template.Resources[id] ?? expect.fail(`expected the resource ${id}; got none`);
    return resolve(template, resource.Properties);
  };
  const readAll = (ids) => Object.fromEntries(ids.map((id) => [id, read(id)]));
  const idsOf = (type) =>
    Object.keys(template.Resources).filter((id) => template.Resources[id]?.Type === `AWS::${type}`);
  return {
    template,
    roles: readRoles(template),
    /** The suffixes of the logical ids of click queues, their rules and mappings. */
    suffixes: idsOf('SQS::Queue').flatMap((id) => /^ClickQueue(\d*)$/.exec(id)?.[1] ?? []),
    idsOf,
    read,
    readType: (type) => readAll(idsOf(type)),
    number: (id, ...keys) => {
      const value = keys.reduce((of, key) => Object(of)[key], read(id));
      if (typeof value === 'number') return value;
      return expect.fail(`expected ${id}.${keys.join('.')} to be a number; got ${value}`);
    },
    /** A function's variables. */
    environment: (name) => read(`${name}LambdaFunction`).Environment.Variables,
    output: (name) => resolve(template, template.Outputs[name]?.Value),
    has: (condition) => isTrue(template, condition),
    /** Expects resources to have these properties. */
    expects: (expected) => expect(readAll(Object.keys(expected))).toMatchObject(expected),
  };
}
