var __addDisposableResource = (this && this.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (this && this.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packageService } from './serverless.ts';
/**
 * Packages a stage and returns its template. The rest of the package is deleted.
 * @throws {CommandError} with the framework's output if serverless.yml doesn't build.
 */
export async function loadTemplate(stage, params) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const dir = __addDisposableResource(env_1, await mkdtempDisposable(path.join(tmpdir(), 'click-tally-package-')), true);
        await packageService({ stage, outDir: dir.path, params, isEmpty: true });
        return await readTemplate(dir.path);
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = __disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}
/** @throws Error if `packageDir` doesn't contain the output of `serverless package`. */
export async function readTemplate(packageDir) {
    const file = path.join(packageDir, 'cloudformation-template-update-stack.json');
    return JSON.parse(await readFile(file, 'utf8'));
}
/** @throws Error if the template doesn't have a resource of that type and id. */
export function getProperties(template, type, logicalId) {
    const found = findResources(template, type)[logicalId];
    if (!found)
        throw new Error(`The template does not have an ${type} named ${logicalId}.`);
    return found;
}
/** Finds the properties of every resource of a type, by logical id. */
export function findResources(template, type) {
    const ofType = Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
    return Object.fromEntries(ofType.map(([id, { Properties }]) => [id, Properties]));
}
/** @throws Error if none of the resources has this ARN. */
export function findByArn(resources, arn) {
    const found = Object.values(resources).find(({ attributes }) => attributes?.Arn === arn);
    if (found)
        return found;
    throw new Error(`The local stack does not have ${arn}.`);
}
/**
 * Replaces each intrinsic function in a value with its result.
 * @throws Error naming the unknown function or resource.
 */
export function resolveIntrinsics(value, resources) {
    return resolve(value, resources);
}
function resolve(value, resources) {
    if (Array.isArray(value))
        return value.map((item) => resolve(item, resources));
    if (value === null || typeof value !== 'object')
        return value;
    const entries = Object.entries(value).map(([key, item]) => [
        key,
        resolve(item, resources),
    ]);
    const [name = '', argument = null] = entries[0] ?? [];
    const intrinsic = intrinsics[name];
    if (intrinsic)
        return intrinsic(argument, resources);
    const listFunction = listFunctions[name];
    if (listFunction)
        return listFunction(...asList(argument));
    if (!name.startsWith('Fn::') && name !== 'Condition')
        return Object.fromEntries(entries);
    throw new Error(`The local stack cannot resolve ${name}: ${JSON.stringify(argument)}.`);
}
/** Functions of a list. */
const listFunctions = {
    'Fn::Join': (separator, items) => asList(items).join(`${separator}`),
    'Fn::Split': (separator, text) => `${text}`.split(`${separator}`),
    'Fn::Select': (index, list) => asList(list)[Number(index)] ?? null,
};
const intrinsics = {
    Ref: (id, resources) => lookUp(`${id}`, resources),
    'Fn::GetAtt': (name, resources) => lookUp([name].flat().join('.'), resources),
    'Fn::Sub': (argument, resources) => {
        if (typeof argument !== 'string') {
            throw new Error('The local stack cannot resolve Fn::Sub with a map of variables.');
        }
        return argument.replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal, name) => literal ? `\${${name}}` : lookUp(name, resources));
    },
};
/** The value of a resource's Ref or, after a dot, of one of its attributes. */
function lookUp(name, resources) {
    const [id = '', ...attribute] = name.split('.');
    const { ref, attributes } = resources[id] ?? {};
    const found = attribute.length === 0 ? ref : attributes?.[attribute.join('.')];
    if (found !== undefined)
        return found;
    const known = Object.keys(resources).join(', ');
    throw new Error(`The local stack does not know ${name}; it has ${known}.`);
}
function asList(value) {
    if (Array.isArray(value))
        return value;
    throw new Error(`Expected a list; got ${JSON.stringify(value)}.`);
}
