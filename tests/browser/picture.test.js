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
import { expect, test } from 'vitest';
import { chooseAttributes } from '../../lib/clicks/breakdowns.ts';
import { open, service, useBrowserAndService } from '../helpers/browser-suite.ts';
useBrowserAndService({ hasPackagedFont: true });
const dayMs = 86400000;
/** Starting with Sunday. */
const weekdays = [0.55, 1, 1.12, 1.06, 1, 0.9, 0.6];
/** A newsletter's effect, by days ago. */
const newsletter = { 11: 2.5, 10: 1.7, 9: 1.2 };
/** Values in proportion to their number, with steps that keep the breakdowns uncorrelated. */
const detail = {
    referrer: [Math.SQRT2, 'direct direct direct google google instagram linkedin whatsapp reddit'],
    country: [Math.PI, 'US US US US DE DE GB GB FR IN CA BR other unknown'],
    device: [Math.LN2, 'mobile mobile mobile mobile desktop desktop desktop tablet'],
    visitor: [Math.E, 'human human human human human human human human human human bot'],
};
/** Counts a day's clicks, up to now. */
function countDay(daysAgo) {
    const midnightMs = Date.now() - (Date.now() % dayMs) - daysAgo * dayMs;
    const weekday = weekdays[new Date(midnightMs).getUTCDay()] ?? 1;
    const clicks = 130 * weekday * (1 - daysAgo * 0.011) * (newsletter[daysAgo] ?? 1);
    // Each visit stands for many clicks.
    for (let index = 0; index < clicks / 30; index += 1) {
        const at = new Date(midnightMs + ((index * Math.SQRT1_2) % 1) * dayMs);
        if (at.getTime() > Date.now())
            continue;
        const values = Object.entries(detail).map(([name, [step, text]]) => {
            const all = text.split(' ');
            return [name, all[Math.floor((((index + daysAgo * 7) * step) % 1) * all.length)]];
        });
        const attributes = chooseAttributes(Object.fromEntries(values), at);
        service.links.count('spring', 26 + 2 * (index % 5), attributes, daysAgo);
    }
}
// `npm run generate -- screenshots` names the folder. Other runs leave this file out.
test.each(['light', 'dark'])('the picture of a link in %s colours shows a rise and a change since the period before', async (colorScheme) => {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        service.links.add('spring', 'https://shop.example.com/collections/spring', 90);
        for (let daysAgo = 60; daysAgo >= 0; daysAgo -= 1)
            countDay(daysAgo);
        service.api.backlog = { waiting: 3, deadLetters: 0 };
        const viewport = { width: 960, height: 900 };
        const picture = { colorScheme, viewport, deviceScaleFactor: 1.25 };
        const page = __addDisposableResource(env_1, await open('#/links/spring', picture), true);
        await page.locator('.live-status.is-live').waitFor();
        await page.getByText(/^[+−]\d+%$/).waitFor();
        service.click('spring', 3, ['vh', 'dm', 'r1', 'c2']);
        await page.locator('.figures .has-risen').first().waitFor();
        const path = `${process.env.PICTURES}/live-${colorScheme}.png`;
        await page.screenshot({ path, animations: 'disabled' });
        expect(await page.locator('.figures .has-risen').count()).toBe(2);
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
});
