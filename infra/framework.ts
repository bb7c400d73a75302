// The subset of the Serverless Framework's objects that our modules use.
import type { CheckedSettings, StageSettings } from './stage-settings.ts';

/** For modules that a template includes: `${file(infra/limits.cjs)}`. */
export interface Tools {
  /** @param variable such as `param:clickQueues` */
  resolveVariable<Value>(variable: string): Promise<Value>;
  /** @param path such as `['functions']` */
  resolveConfigurationProperty<Value>(path: string[]): Promise<Value>;
}

export interface Route {
  method: string;
  path: string;
  authorizer?: object;
}

export interface FunctionSettings {
  events?: { httpApi?: Route }[];
}

/** A function of the stage, with its logical id and its routes of the HTTP API. */
export interface DeployedFunction {
  name: string;
  logicalId: string;
  routes: Route[];
}

/** The subset of the framework's provider that a plugin uses. */
export interface AwsProvider {
  naming: { getStackName(): string };
  getStage(): string;
  /** The folder of the deployments in the stage's bucket. */
  getDeploymentPrefix(): string;
  /** The Region and the credentials of the command. */
  getAwsSdkV3Config(): Promise<{ region: string }>;
}

/** The subset of the framework that a plugin uses. */
export interface Framework {
  getProvider(name: 'aws'): AwsProvider;
  service: {
    service: string;
    custom: {
      checkedSettings: CheckedSettings;
      edge: { settings: StageSettings['edge'] };
      keepData: boolean | string;
      liveAccessLog: boolean | string;
      permissionsBoundary?: string;
    };
    provider: { compiledCloudFormationTemplate: { Resources: Record<string, Resource> } };
  };
  classes: { Error: new (message: string, code: string) => Error };
  processedInput: { commands: string[]; options: { param?: string[]; timestamp?: string } };
  configurationInput: { params: StageSettings['params'] };
}

export interface Resource {
  Type: string;
  DeletionPolicy?: string;
  Properties: Record<string, unknown>;
}
