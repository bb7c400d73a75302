// What the Serverless Framework passes to our modules, as far as they use it.

/** For modules that a template names: `${file(infra/limits.cjs)}`. */
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

/** What a plugin reads of the framework. */
export interface Framework {
  service: {
    custom: {
      refusals: object;
      edge: { settings: object };
      permissionsBoundary?: string;
    };
    provider: { compiledCloudFormationTemplate: { Resources: Record<string, Resource> } };
  };
  classes: { Error: new (message: string, code: string) => Error };
  processedInput: { commands: string[] };
}

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
}
