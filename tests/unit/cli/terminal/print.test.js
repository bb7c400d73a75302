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
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { escapeText, formatCell, formatJson, print, printLine, } from '../../../../cli/terminal/print.ts';
// C0 and C1 controls, bidirectional controls, line and paragraph separators.
const dangerous = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;
const findDangerous = (text) => text.match(dangerous) ?? [];
const countLines = (text) => text.split('\n').length;
/** Strings of any UTF-16 units, of which many are dangerous or come in two. */
const anyText = fc
    .array(fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), fc.constantFrom(...'\u001b \u009b \u202e \u2028 \u0085 \n \t 👩‍👩‍👧 é'.split(' '))))
    .map((parts) => parts.join(''));
function capture(act) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const write = __addDisposableResource(env_1, vi.spyOn(process.stdout, 'write').mockReturnValue(true), false);
        act();
        return write.mock.calls.map(([chunk]) => chunk).join('');
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        __disposeResources(env_1);
    }
}
test("any text in a cell is visible ASCII of the column's width", () => {
    fc.assert(fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, width) => {
        const cell = formatCell(text, width);
        expect(cell).toHaveLength(width);
        expect(cell).toMatch(/^[\x21-\x7e]*…? *$/);
    }));
});
test('formatJson round-trips any text without characters that could control a terminal', () => {
    fc.assert(fc.property(fc.dictionary(anyText, anyText), fc.nat({ max: 2 }), (value, indent) => {
        const json = formatJson(value, indent);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(findDangerous(json).join('')).toMatch(/^\n*$/);
        expect(countLines(json)).toBe(countLines(JSON.stringify(value, null, indent)));
    }));
});
test('printLine prints any text as one line, and print keeps its line breaks', () => {
    const isSafe = fc.property(anyText, (text) => {
        const line = capture(() => printLine(text));
        const lines = capture(() => print(text));
        expect(findDangerous(escapeText(text))).toEqual([]);
        expect(line.at(-1)).toBe('\n');
        expect(findDangerous(line)).toEqual(['\n']);
        expect(findDangerous(lines)).toEqual(Array(countLines(text) - 1).fill('\n'));
    });
    fc.assert(isSafe);
});
