import { expect, inject } from 'vitest';
import { readTemplate } from '../../local/engines/template.ts';
import { isTrue, resolve } from '../helpers/template-values.ts';
import { deployedStages, variants } from './package-stages.ts';

export { isTrue, resolve };

/** `local` has the settings of any stage without its own. */
export const stages = ['local', ...deployedStages] as const;

export type Stage = (typeof stages)[number];
export type Variant = keyof typeof variants;
export type Packaged = Stage | Variant;

export const packaged: readonly Packaged[] = [...stages, ...(Object.keys(variants) as Variant[])];

export const stageOf = (name: Packaged): Stage =>
  name in variants ? variants[name as Variant].stage : (name as Stage);

export const mappingId = 'AggregateClicksEventSourceMappingSQSClickQueue';

/** The suffixes of the logical ids of a template's click queues, their rules and mappings. */
export const queueSuffixesOf = (template: StageTemplate): string[] =>
  Object.keys(ofType(template, 'AWS::SQS::Queue')).flatMap(
    (id) => /^ClickQueue(\d*)$/.exec(id)?.[1] ?? [],
  );

export interface Resource {
  Type: string;
  Condition?: string;
  DependsOn?: string | string[];
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  Properties: Record<string, unknown>;
}

export interface StageTemplate {
  Resources: Record<string, Resource>;
  Outputs: Record<string, { Condition?: string; Value: unknown }>;
  Conditions: Record<string, unknown>;
}

export const packageDirOf = (name: Packaged): string =>
  name === 'local' ? inject('packageDir') : (inject('stagePackages')[name]?.dir ?? '');

/** The packaged template of a stage or variant. */
export function readStage(name: Packaged): Promise<StageTemplate> {
  return readPackage(packageDirOf(name));
}

/** The template that `serverless package --package` wrote. */
export async function readPackage(dir: string): Promise<StageTemplate> {
  return (await readTemplate(dir)) as unknown as StageTemplate;
}

/** The resources of a type, by logical id. */
export function ofType(template: StageTemplate, type: string): Record<string, Resource> {
  const found = Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
  return Object.fromEntries(found);
}

/** @throws {Error} if the template has no such resource. */
export function propertiesOf(template: StageTemplate, id: string): Record<string, unknown> {
  const resource = template.Resources[id];
  if (!resource) throw new Error(`expected the resource ${id}; the template has none`);
  return resource.Properties;
}

/** @throws {Error} if the property is not a number. */
export function numberOf(template: StageTemplate, id: string, ...keys: string[]): number {
  let value: unknown = propertiesOf(template, id);
  for (const key of keys) value = (value as Record<string, unknown>)[key];
  if (typeof value === 'number') return value;
  throw new Error(`expected ${id}.${keys.join('.')} to be a number; got ${value}`);
}

/** A function's variables, with logical ids for values that only AWS knows. */
export function environmentOf(template: StageTemplate, functionId: string): Record<string, string> {
  const { Environment } = propertiesOf(template, functionId) as {
    Environment: { Variables: object };
  };
  return resolve(template, Environment.Variables) as Record<string, string>;
}

/** A packaged stage or variant, with logical ids for values that only AWS knows. */
export async function openStage(name: Packaged) {
  return { stage: stageOf(name), ...openTemplate(await readStage(name)) };
}

export function openTemplate(template: StageTemplate) {
  const read = <Properties = Record<string, unknown>>(id: string) =>
    resolve(template, propertiesOf(template, id)) as Properties;
  const readAll = (ids: string[]) => Object.fromEntries(ids.map((id) => [id, read(id)]));
  const idsOf = (type: string) => Object.keys(ofType(template, `AWS::${type}`));
  return {
    template,
    suffixes: queueSuffixesOf(template),
    idsOf,
    read,
    readType: (type: string) => readAll(idsOf(type)),
    number: (id: string, ...keys: string[]) => numberOf(template, id, ...keys),
    environment: (name: string) => environmentOf(template, `${name}LambdaFunction`),
    output: (name: string) => resolve(template, template.Outputs[name]?.Value),
    has: (condition: string) => isTrue(template, condition),
    /** Expects resources to have these properties. */
    expects: (expected: Record<string, object>) =>
      expect(readAll(Object.keys(expected))).toMatchObject(expected),
  };
}
