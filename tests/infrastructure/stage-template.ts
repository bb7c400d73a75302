import { expect, inject } from 'vitest';
import { readTemplate } from '../../local/engines/template.ts';
import { readRoles } from '../helpers/roles.ts';
import { isTrue, resolve } from '../helpers/template-values.ts';
import { deployedStages, variants } from './package-stages.ts';

/** `local` has the settings of any stage without its own. */
export const stages = ['local', ...deployedStages] as const;

export type Stage = (typeof stages)[number];
type Variant = keyof typeof variants;
export type Packaged = Stage | Variant;

export const packaged: readonly Packaged[] = [...stages, ...(Object.keys(variants) as Variant[])];

export const mappingId = 'AggregateClicksEventSourceMappingSQSClickQueue';

interface StageTemplate {
  Resources: Record<string, Resource>;
  Outputs: Record<string, { Condition?: string; Value: unknown }>;
  Conditions: Record<string, unknown>;
}

interface Resource {
  Type: string;
  Condition?: string;
  DependsOn?: string | string[];
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  Properties: Record<string, unknown>;
}

export const packageDirOf = (name: Packaged): string =>
  name === 'local' ? inject('packageDir') : (inject('stagePackages')[name]?.dir ?? '');

/** A packaged stage or variant. */
export async function openStage(name: Packaged) {
  const stage = name in variants ? variants[name as Variant].stage : (name as Stage);
  return { stage, ...(await openPackage(packageDirOf(name))) };
}

/**
 * The template that `serverless package --package` wrote. Values that only AWS knows are logical ids:
 * `id` of Ref, and `arn:id` or `stream:id` of Fn::GetAtt.
 */
export async function openPackage(dir: string) {
  const template = (await readTemplate(dir)) as unknown as StageTemplate;
  const read = <Properties = Record<string, unknown>>(id: string) => {
    const resource = template.Resources[id] ?? expect.fail(`expected the resource ${id}; got none`);
    return resolve(template, resource.Properties) as Properties;
  };
  const readAll = (ids: string[]) => Object.fromEntries(ids.map((id) => [id, read(id)]));
  const idsOf = (type: string) =>
    Object.keys(template.Resources).filter((id) => template.Resources[id]?.Type === `AWS::${type}`);
  return {
    template,
    roles: readRoles(template),
    /** The suffixes of the logical ids of click queues, their rules and mappings. */
    suffixes: idsOf('SQS::Queue').flatMap((id) => /^ClickQueue(\d*)$/.exec(id)?.[1] ?? []),
    idsOf,
    read,
    readType: (type: string) => readAll(idsOf(type)),
    number: (id: string, ...keys: string[]): number => {
      const value = keys.reduce<unknown>((of, key) => Object(of)[key], read(id));
      // A param of the command line is a text, which CloudFormation accepts, too.
      if (/^\d+$/.test(`${value}`)) return Number(value);
      return expect.fail(`expected ${id}.${keys.join('.')} to be a number; got ${value}`);
    },
    /** A function's variables. */
    environment: (name: string) =>
      read<{ Environment: { Variables: Record<string, string> } }>(`${name}LambdaFunction`)
        .Environment.Variables,
    output: (name: string) => resolve(template, template.Outputs[name]?.Value),
    has: (condition: string) => isTrue(template, condition),
    /** Expects resources to have these properties. */
    expects: (expected: Record<string, object>) =>
      expect(readAll(Object.keys(expected))).toMatchObject(expected),
  };
}
