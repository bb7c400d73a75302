import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type {
  CreateTableCommandInput,
  StreamViewType,
  TimeToLiveSpecification,
} from '@aws-sdk/client-dynamodb';
import { packageService, type ServiceParams } from './serverless.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A value that may be, or contain, Ref, Fn::GetAtt, Fn::Join or Fn::Sub. */
export type Intrinsic = Json;

/** The properties that the local stack reads, by resource type. Texts may be intrinsic functions. */
export interface ResourceProperties {
  'AWS::DynamoDB::Table': Omit<CreateTableCommandInput, 'TableName' | 'StreamSpecification'> & {
    TimeToLiveSpecification?: TimeToLiveSpecification;
    StreamSpecification?: { StreamViewType: StreamViewType };
  };
  'AWS::SQS::Queue': {
    QueueName?: string;
    VisibilityTimeout?: number;
    MessageRetentionPeriod?: number;
    RedrivePolicy?: { deadLetterTargetArn: string; maxReceiveCount: number };
  };
  'AWS::Events::EventBus': object;
  /** A schedule doesn't have a pattern. */
  'AWS::Events::Rule': { EventPattern?: { [key: string]: Json } };
  'AWS::Logs::LogGroup': { LogGroupName: string };
  'AWS::Lambda::Function': {
    FunctionName: string;
    Timeout: number;
    Environment?: { Variables?: Record<string, Intrinsic> };
  };
  'AWS::Lambda::EventSourceMapping': {
    EventSourceArn: string;
    FunctionName: string;
    BatchSize: number;
    MaximumBatchingWindowInSeconds?: number;
    FunctionResponseTypes?: string[];
    ScalingConfig?: { MaximumConcurrency: number };
    FilterCriteria?: { Filters: { Pattern: string }[] };
    /** Of a stream. */
    MaximumRecordAgeInSeconds: number;
  };
}

type ResourceType = keyof ResourceProperties;

/** The CloudFormation template that `serverless package` writes. */
export interface Template {
  Resources: Record<string, { Type: string; Properties: unknown }>;
}

/** A created resource: the value of Ref, and of Fn::GetAtt by attribute name. */
export interface PhysicalResource {
  ref: string;
  attributes?: Record<string, string>;
}

/** By logical id, with pseudo parameters such as AWS::Region. */
export type PhysicalResources = Record<string, PhysicalResource>;

/**
 * Packages a stage and returns its template. The rest of the package is deleted.
 * @throws {CommandError} with the framework's output if serverless.yml, or the given file, doesn't build.
 */
export async function loadTemplate(
  stage: string,
  params?: ServiceParams,
  serviceFile?: string,
): Promise<Template> {
  await using dir = await mkdtempDisposable(path.join(tmpdir(), 'click-tally-package-'));
  await packageService({ stage, outDir: dir.path, params, isEmpty: true, serviceFile });
  return await readTemplate(dir.path);
}

/** @throws Error if `packageDir` doesn't contain the output of `serverless package`. */
export async function readTemplate(packageDir: string): Promise<Template> {
  const file = path.join(packageDir, 'cloudformation-template-update-stack.json');
  return JSON.parse(await readFile(file, 'utf8'));
}

/** @throws Error if the template doesn't have a resource of that type and id. */
export function getProperties<T extends ResourceType>(
  template: Template,
  type: T,
  logicalId: string,
): ResourceProperties[T] {
  const found = findResources(template, type)[logicalId];
  if (!found) throw new Error(`The template does not have an ${type} named ${logicalId}.`);
  return found;
}

/** Finds the properties of every resource of a type, by logical id. */
export function findResources<T extends ResourceType>(
  template: Template,
  type: T,
): Record<string, ResourceProperties[T]> {
  const ofType = Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
  return Object.fromEntries(
    ofType.map(([id, { Properties }]) => [id, Properties as ResourceProperties[T]]),
  );
}

/** @throws Error if none of the resources has this ARN. */
export function findByArn(resources: PhysicalResources, arn: string): PhysicalResource {
  const found = Object.values(resources).find(({ attributes }) => attributes?.Arn === arn);
  if (found) return found;
  throw new Error(`The local stack does not have ${arn}.`);
}

/**
 * Replaces each intrinsic function in a value with its result.
 * @throws Error naming the unknown function or resource.
 */
export function resolveIntrinsics<T extends Intrinsic | object>(
  value: T,
  resources: PhysicalResources,
): T {
  return resolve(value as Intrinsic, resources) as T;
}

function resolve(value: Intrinsic, resources: PhysicalResources): Json {
  if (Array.isArray(value)) return value.map((item) => resolve(item, resources));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [
    key,
    resolve(item, resources),
  ]);
  const [name = '', argument = null] = entries[0] ?? [];
  const intrinsic = intrinsics[name];
  if (intrinsic) return intrinsic(argument, resources);
  const listFunction = listFunctions[name];
  if (listFunction) return listFunction(...asList(argument));
  if (!name.startsWith('Fn::') && name !== 'Condition') return Object.fromEntries(entries);
  throw new Error(`The local stack cannot resolve ${name}: ${JSON.stringify(argument)}.`);
}

/** Functions of a list. */
const listFunctions: Record<string, (...entries: (Json | undefined)[]) => Json> = {
  'Fn::Join': (separator, items) => asList(items).join(`${separator}`),
  'Fn::Split': (separator, text) => `${text}`.split(`${separator}`),
  'Fn::Select': (index, list) => asList(list)[Number(index)] ?? null,
};

const intrinsics: Record<string, (argument: Json, resources: PhysicalResources) => Json> = {
  Ref: (id, resources) => lookUp(`${id}`, resources),
  'Fn::GetAtt': (name, resources) => lookUp([name].flat().join('.'), resources),
  'Fn::Sub': (argument, resources) => {
    if (typeof argument !== 'string') {
      throw new Error('The local stack cannot resolve Fn::Sub with a map of variables.');
    }
    return argument.replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) =>
      literal ? `\${${name}}` : lookUp(name, resources),
    );
  },
};

/** The value of a resource's Ref or, after a dot, of one of its attributes. */
function lookUp(name: string, resources: PhysicalResources): string {
  const [id = '', ...attribute] = name.split('.');
  const { ref, attributes } = resources[id] ?? {};
  const found = attribute.length === 0 ? ref : attributes?.[attribute.join('.')];
  if (found !== undefined) return found;
  const known = Object.keys(resources).join(', ');
  throw new Error(`The local stack does not know ${name}; it has ${known}.`);
}

function asList(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value;
  throw new Error(`Expected a list; got ${JSON.stringify(value)}.`);
}
