// The limits of each route and each function, so that one group's load can't starve the others:
// visitors, who open links; owners and their programs, which manage them; the live page; and the aggregator.

/** @typedef {import('./stage-settings.ts').RequestLimits} RequestLimits */

/**
 * The group that sends a route's requests.
 *
 * @param {string} routeKey
 * @param {import('./framework.ts').Route} route
 * @returns {import('./stage-settings.ts').Callers}
 */
const groupOf = (routeKey, { authorizer }) => {
  if (authorizer) return 'owners';
  if (routeKey.includes(' /api/')) return 'programs';
  if (routeKey === 'GET /{code}') return 'visitors';
  return routeKey === 'HEAD /{code}' ? 'previews' : 'page';
};

/**
 * A burst of one second's requests. All routes together must not exceed the account's burst limit.
 *
 * @param {number} requestsPerSecond
 */
const throttle = (requestsPerSecond) => ({
  ThrottlingRateLimit: requestsPerSecond,
  ThrottlingBurstLimit: requestsPerSecond,
});

/** @param {string} text */
const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The framework's logical id for a route.
 *
 * @param {import('./framework.ts').Route} route
 */
const toRouteId = ({ method, path }) => {
  const parts = [method, ...path.split('/')].map((part) =>
    part
      .toLowerCase()
      .replace(/^\{(.*)\}$/, '$1Var')
      .replace(/[^0-9A-Za-z]/g, ''),
  );
  return `HttpApiRoute${parts.map(capitalize).join('')}`;
};

/**
 * The stage's functions, with their logical ids and their HTTP API routes. serverless.yml lists
 * them in several files, and one file may add a variable to another's function.
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
 * Routes that use the default, which is the owners' limit: those that a stage can lose, because API
 * Gateway would keep their settings and reject later ones, and those that nobody needs often.
 */
const usesDefault = /^\/(api\/keys|(api\/)?links\/overview$|robots\.txt$|favicon\.ico$|\{code\}\/)/;

/**
 * @param {import('./framework.ts').Route[]} allRoutes
 * @param {RequestLimits} requestsPerSecond
 */
function limitRoutes(allRoutes, requestsPerSecond) {
  const routes = allRoutes.filter(({ path }) => !usesDefault.test(path));
  const settings = routes.map((route) => {
    const routeKey = `${route.method} ${route.path}`;
    return [routeKey, throttle(requestsPerSecond[groupOf(routeKey, route)])];
  });
  return {
    // API Gateway rejects settings for a route that doesn't exist yet.
    DependsOn: routes.map(toRouteId),
    Properties: {
      // For routes without settings and requests that don't match a route.
      DefaultRouteSettings: {
        DetailedMetricsEnabled: false,
        ...throttle(requestsPerSecond.owners),
      },
      RouteSettings: Object.fromEntries(settings),
    },
  };
}

/**
 * Reserves the concurrency that the param sets for each function by name, or for the others.
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
  /** @type {RequestLimits} */
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
