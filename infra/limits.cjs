// What each route and each function may take, so that no one's load starves the others: visitors,
// who open links, owners, who manage them, the live page, and the aggregator.

/**
 * A route belongs to those who send its requests.
 *
 * @param {string} routeKey
 * @param {import('./framework.ts').Route} route
 */
const groupOf = (routeKey, { authorizer }) => {
  if (authorizer) return 'owners';
  return { 'GET /{code}': 'visitors', 'HEAD /{code}': 'previews' }[routeKey] ?? 'page';
};

/** A second's worth may come at once: all routes together must not exceed the account's burst limit. */
const throttle = (requestsPerSecond) => ({
  ThrottlingRateLimit: requestsPerSecond,
  ThrottlingBurstLimit: requestsPerSecond,
});

const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The framework's logical id of a route. */
const toRouteId = ({ method, path }) => {
  const parts = [method, ...path.split('/')].map((part) =>
    part.toLowerCase().replace(/^\{(.*)\}$/, '$1Var'),
  );
  return `HttpApiRoute${parts.map(capitalize).join('')}`;
};

/**
 * The functions of the stage, with their logical ids and their routes of the HTTP API. serverless.yml
 * lists them in parts, and one part may add a variable to a function of another.
 *
 * @param {import('./framework.ts').Tools} tools
 * @returns {Promise<import('./framework.ts').DeployedFunction[]>}
 */
async function readFunctions({ resolveConfigurationProperty }) {
  /** @type {Record<string, import('./framework.ts').FunctionSettings>[]} */
  const parts = await resolveConfigurationProperty(['functions']);
  /** @type {Record<string, NonNullable<import('./framework.ts').FunctionSettings['events']>>} */
  const events = {};
  for (const [name, settings] of parts.flatMap((part) => Object.entries(part))) {
    events[name] = [...(events[name] ?? []), ...(settings.events ?? [])];
  }
  return Object.entries(events).map(([name, ofFunction]) => ({
    name,
    logicalId: `${capitalize(name)}LambdaFunction`,
    routes: ofFunction.flatMap(({ httpApi }) => httpApi ?? []),
  }));
}

/**
 * @param {import('./framework.ts').Route[]} allRoutes
 * @param {Record<string, number>} requestsPerSecond
 */
function limitRoutes(allRoutes, requestsPerSecond) {
  // A stage can lose these, and API Gateway would keep their settings and refuse the next ones. They
  // have the default, which is that of the owners.
  const routes = allRoutes.filter(({ path }) => !path.startsWith('/live/try'));
  const settings = routes.map((route) => {
    const routeKey = `${route.method} ${route.path}`;
    return [routeKey, throttle(requestsPerSecond[groupOf(routeKey, route)])];
  });
  return {
    // API Gateway refuses the settings of a route that does not exist yet.
    DependsOn: routes.map(toRouteId),
    Properties: {
      // For routes without settings, and for requests that match no route.
      DefaultRouteSettings: {
        DetailedMetricsEnabled: false,
        ...throttle(requestsPerSecond.owners),
      },
      RouteSettings: Object.fromEntries(settings),
    },
  };
}

/**
 * Reserves for each function what the param names for it or, if it does, for the others.
 *
 * @param {import('./framework.ts').DeployedFunction[]} functions
 * @param {Record<string, number>} reserved
 */
function reserveConcurrency(functions, reserved) {
  const reservations = functions
    .map(({ name, logicalId }) => [logicalId, reserved[name] ?? reserved.others])
    .filter(([, executions]) => executions !== undefined)
    .map(([logicalId, executions]) => [
      logicalId,
      { Properties: { ReservedConcurrentExecutions: executions } },
    ]);
  return Object.fromEntries(reservations);
}

/** @param {import('./framework.ts').Tools} tools */
const describe = async (tools) => {
  const functions = await readFunctions(tools);
  /** @type {Record<string, number>} */
  const requestsPerSecond = await tools.resolveVariable('param:requestsPerSecond');
  /** @type {Record<string, number>} */
  const reserved = await tools.resolveVariable('param:reservedConcurrency');
  return {
    extensions: {
      HttpApiStage: limitRoutes(
        functions.flatMap(({ routes }) => routes),
        requestsPerSecond,
      ),
      WebsocketsDeploymentStage: {
        Properties: { DefaultRouteSettings: throttle(requestsPerSecond.live) },
      },
      ...reserveConcurrency(functions, reserved),
    },
  };
};

module.exports = Object.assign(describe, { readFunctions });
