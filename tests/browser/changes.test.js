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
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { open, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { readFocus } from '../helpers/browser-tab.ts';
const clipboard = { permissions: ['clipboard-write', 'clipboard-read'] };
const inBerlin = { ...clipboard, timezoneId: 'Europe/Berlin' };
const nextYear = new Date().getUTCFullYear() + 1;
// 18:00 in Berlin, where summer time is two hours ahead of UTC.
const expiresAt = `${nextYear}-05-26T16:00:00.000Z`;
const listMenu = 'Import, restore and more';
const docsUrl = 'https://docs.example.com/getting-started';
useBrowserAndService();
beforeEach(() => service.links.add('docs', docsUrl));
const codesOf = (page) => page.locator('.link-row .short-code').allInnerTexts();
const describeBadge = (page) => page.locator('.badge').allInnerTexts();
const readClipboard = (page) => page.evaluate('navigator.clipboard.readText()');
const press = (page, name) => page.getByRole('button', { name, exact: true }).press('Enter');
async function pressAndSee(page, name, text) {
    await press(page, name);
    await page.getByText(text).waitFor();
}
/** Presses a button that may be in a menu. */
async function pressIn(menuName, page, name) {
    const menu = page.getByRole('button', { name: menuName });
    const button = page.getByRole('button', { name, exact: true });
    await menu.or(button).first().waitFor();
    if (await menu.isVisible())
        await menu.press('Enter');
    await button.press('Enter');
}
const pressInList = (page, name) => pressIn(listMenu, page, name);
const pressForDocs = (page, name) => pressIn('More actions for docs', page, name);
async function openEdit(page) {
    await pressForDocs(page, 'Edit');
    const dialog = page.getByRole('dialog');
    return {
        url: dialog.getByLabel('Destination'),
        query: dialog.getByLabel("Add the visitor's query"),
        expires: dialog.getByLabel('The link expires'),
        expiry: dialog.getByLabel('Expires on (Europe/Berlin time)'),
    };
}
test('links are created, copied, disabled and opened with the keyboard only, which keeps the focus', async () => {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const page = __addDisposableResource(env_1, await open('', clipboard), true);
        await page.getByText('docs').first().waitFor();
        const pressOn = async (name) => {
            for (let presses = 0; (await readFocus(page)) !== name; presses += 1) {
                if (presses === 40)
                    throw new Error(`expected the keyboard to reach ${name}`);
                await page.keyboard.press('Tab');
            }
            await page.keyboard.press('Enter');
        };
        await pressOn('New link');
        await page.keyboard.type('https://example.com/autumn');
        await page.keyboard.press('Tab');
        await page.keyboard.type('autumn');
        await page.keyboard.press('Enter');
        await page.getByText('Your link is ready').waitFor();
        await pressOn(`Copy ${service.url}autumn`);
        await pressOn('Done');
        expect(await readFocus(page)).toBe('New link');
        await pressOn('More actions for autumn');
        await pressOn('QR code');
        await page.getByRole('img', { name: `Leads to ${service.url}autumn` }).waitFor();
        await page.keyboard.press('Escape');
        await pressOn('More actions for autumn');
        await page.keyboard.press('Escape');
        await expect.poll(() => readFocus(page)).toBe('More actions for autumn');
        await pressOn('More actions for autumn');
        await pressOn('Disable');
        await page.getByText('Disabled', { exact: true }).waitFor();
        expect(await readFocus(page)).toBe('More actions for autumn');
        await page.getByLabel('Search').focus();
        await pressOn(`${new URL(service.url).host}/autumn`);
        await page.getByRole('heading', { name: 'autumn' }).waitFor();
        await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
        const { disabled, forwardQuery } = (await service.links.read('autumn')) ?? {};
        expect(disabled).toBe(true);
        expect(forwardQuery).toBeUndefined();
        expect(await readClipboard(page)).toBe(`${service.url}autumn`);
        await pressOn('Enable');
        await page.getByRole('button', { name: 'Disable' }).waitFor();
        expect(await readFocus(page)).toBe('Disable');
        expect(await describeBadge(page)).toEqual([]);
        expect((await service.links.read('autumn'))?.disabled).toBeUndefined();
        await page.getByRole('link', { name: 'Your links' }).last().press('Enter');
        await expect.poll(() => readFocus(page)).toBe('Your links');
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
test('a link is created once, although all responses to the first press are lost', async () => {
    const env_2 = { stack: [], error: void 0, hasError: false };
    try {
        const page = __addDisposableResource(env_2, await open('', inBerlin), true);
        const create = (text) => pressAndSee(page, 'Create link', text);
        const [title, tags] = ['Title', 'Tags'].map((name) => page.getByRole('textbox', { name }));
        await press(page, 'New link');
        await page.getByLabel('Destination').fill('example.com/summer');
        await page.getByLabel('Code (optional)').fill('summer');
        await page.getByLabel("Add the visitor's query").check();
        await page.getByLabel('The link expires').check();
        await title?.fill('Summer\u202e Sale');
        await tags?.fill(`${'x'.repeat(51)}, News`);
        await create('Enter a date and a time, or untick the box above.');
        await page.getByLabel('Expires on (Europe/Berlin time)').fill(`${nextYear}-05-26T18:00`);
        await create('Shorten the tag: 50 characters are the maximum.');
        await tags?.fill('Sale; News,news');
        let requests = 0;
        await page.route('**/links/import', async (route) => {
            requests += 1;
            if (requests > 3)
                return route.continue();
            await route.fetch();
            await route.abort();
        });
        await create("The service didn't confirm it, so we don't know yet");
        expect(requests).toBe(3);
        service.api.failWith = 429;
        await create('Too Many');
        service.api.failWith = undefined;
        await create('Your link is ready');
        await page.keyboard.press('Enter');
        await expect.poll(() => readClipboard(page)).toBe(`${service.url}summer`);
        expect(requests).toBe(5);
        expect(await service.links.codes()).toEqual(['summer', 'docs']);
        const texts = { title: 'Summer Sale', tags: ['sale', 'news'] };
        const summer = { ...texts, url: 'https://example.com/summer', expiresAt, forwardQuery: true };
        expect(await service.links.read('summer')).toMatchObject(summer);
    }
    catch (e_2) {
        env_2.error = e_2;
        env_2.hasError = true;
    }
    finally {
        const result_2 = __disposeResources(env_2);
        if (result_2)
            await result_2;
    }
});
test('a tag leads to the links that have it, also after a reload and a visit to one of them', async () => {
    const env_3 = { stack: [], error: void 0, hasError: false };
    try {
        service.links.add('other');
        service.links.update('docs', { title: 'Spring Sale', tags: ['sale', 'news'] });
        service.links.update('other', { title: 'Other', tags: ['news'] });
        service.links.add('third');
        const page = __addDisposableResource(env_3, await open('', inBerlin), true);
        const search = page.getByLabel('Search links');
        await search.fill('spring sale');
        await expect.poll(() => codesOf(page)).toEqual(['docs']);
        await search.fill('NEWS');
        await expect.poll(() => codesOf(page)).toEqual(['other', 'docs']);
        await search.fill('');
        await page.getByRole('link', { name: 'news' }).first().press('Enter');
        await page.getByText('2 of 3 links found.').waitFor();
        await page.reload();
        await expect.poll(() => codesOf(page)).toEqual(['other', 'docs']);
        await page.getByRole('link', { name: '/docs' }).click();
        await page.getByRole('heading', { name: 'docs' }).waitFor();
        await openEdit(page);
        await page.getByRole('textbox', { name: 'Title' }).fill('');
        await page.getByRole('textbox', { name: 'Tags' }).fill('');
        await pressAndSee(page, 'Save', 'Saved.');
        expect(await page.locator('.title, .tag').count()).toBe(0);
        await page.getByText('‹ Your links').click();
        await expect.poll(() => codesOf(page)).toEqual(['other', 'docs']);
        await page.getByRole('link', { name: 'Show all links' }).press('Enter');
        await expect.poll(() => codesOf(page)).toEqual(['third', 'other', 'docs']);
        const docs = (await service.links.read('docs')) ?? {};
        expect(docs.title).toBeUndefined();
        expect(docs.tags).toBeUndefined();
    }
    catch (e_3) {
        env_3.error = e_3;
        env_3.hasError = true;
    }
    finally {
        const result_3 = __disposeResources(env_3);
        if (result_3)
            await result_3;
    }
});
describe('an edit', () => {
    test('that is wrong or too late says why beside the field, and then changes the list and the page', async () => {
        const env_4 = { stack: [], error: void 0, hasError: false };
        try {
            const page = __addDisposableResource(env_4, await open('', inBerlin), true);
            let form = await openEdit(page);
            const focusedName = () => page.evaluate('document.activeElement.name');
            const saveAndRead = (text) => pressAndSee(page, 'Save', text);
            expect(await form.expires.isChecked()).toBe(false);
            expect(await form.expiry.isVisible()).toBe(false);
            await form.expires.check();
            await saveAndRead('Enter a date and a time, or untick the box above.');
            await form.expiry.fill('2020-05-26T18:00');
            await saveAndRead('Enter a time in the future.');
            expect(await focusedName()).toBe('expiresAt');
            await form.expiry.fill(`${nextYear}-05-26T18:00`);
            await form.url.fill('https://localhost/');
            await saveAndRead('Enter an address on the public internet.');
            expect(await focusedName()).toBe('url');
            await form.url.fill('example.com/spring');
            await form.query.check();
            service.api.failWith = 500;
            await saveAndRead("we don't know yet whether your changes were saved. Try again.");
            service.api.failWith = undefined;
            expect((await service.links.read('docs'))?.url).toBe(docsUrl);
            await saveAndRead('Saved. Visitors see the change within 30 seconds.');
            const url = 'https://example.com/spring';
            expect(await service.links.read('docs')).toMatchObject({ url, expiresAt, forwardQuery: true });
            expect(await describeBadge(page)).toEqual([`Expires 26 May ${nextYear}, 18:00`]);
            await page.getByRole('link', { name: '/docs' }).click();
            await page.getByRole('link', { name: 'example.com/spring' }).waitFor();
            expect(await describeBadge(page)).toEqual([`Expires 26 May ${nextYear}, 18:00`]);
            form = await openEdit(page);
            const other = 'https://example.com/other';
            const later = `${nextYear}-06-01T12:00`;
            service.links.update('docs', { url: other });
            // What was typed and undone isn't a change.
            await form.url.fill(other);
            await form.url.fill(url);
            await form.expiry.fill(later);
            await form.query.uncheck();
            await saveAndRead('has changed in the meantime');
            await page.getByText(`Now: ${other}`).waitFor();
            await page.getByText(`Now: 26 May ${nextYear}, 18:00`).waitFor();
            expect(await form.url.inputValue()).toEqual(other);
            expect(await form.expiry.inputValue()).toEqual(later);
            expect((await service.links.read('docs'))?.expiresAt).toBe(expiresAt);
            await saveAndRead('Saved.');
            const replaced = await service.links.read('docs');
            expect(replaced).toMatchObject({ url: other, expiresAt: `${nextYear}-06-01T10:00:00.000Z` });
            expect(replaced?.forwardQuery).toBeUndefined();
        }
        catch (e_4) {
            env_4.error = e_4;
            env_4.hasError = true;
        }
        finally {
            const result_4 = __disposeResources(env_4);
            if (result_4)
                await result_4;
        }
    });
    test('with the keyboard ends at its button, keeps a past expiry, and can revive the link', async () => {
        const env_5 = { stack: [], error: void 0, hasError: false };
        try {
            const expired = '2026-01-02T03:04:05.678Z';
            service.links.update('docs', { expiresAt: expired });
            const page = __addDisposableResource(env_5, await open('#/links/docs', inBerlin), true);
            const typeUrl = async (url) => {
                await page.getByRole('button', { name: 'Edit' }).press('Enter');
                await page.keyboard.press('Control+A');
                await page.keyboard.type(url);
            };
            await page.getByText('No clicks yet').waitFor();
            expect(await page.getByText('Share the short link.').count()).toBe(0);
            expect(await describeBadge(page)).toEqual(['Expired']);
            for (const leave of [() => page.keyboard.press('Escape'), () => press(page, 'Cancel')]) {
                await typeUrl('https://example.com/left');
                await leave();
                await expect.poll(() => readFocus(page)).toBe('Edit');
                await expect.poll(() => page.locator('dialog').count()).toBe(0);
            }
            expect(service.api.requests.filter((call) => call.startsWith('PATCH'))).toEqual([]);
            await typeUrl('https://example.com/typed');
            await page.keyboard.press('Enter');
            await page.getByText('Saved.').waitFor();
            expect(await readFocus(page)).toBe('Edit');
            const edited = { url: 'https://example.com/typed', expiresAt: expired };
            expect(await service.links.read('docs')).toMatchObject(edited);
            await (await openEdit(page)).expires.uncheck();
            await press(page, 'Save');
            await expect.poll(() => describeBadge(page)).toEqual([]);
            expect((await service.links.read('docs'))?.expiresAt).toBeUndefined();
        }
        catch (e_5) {
            env_5.error = e_5;
            env_5.hasError = true;
        }
        finally {
            const result_5 = __disposeResources(env_5);
            if (result_5)
                await result_5;
        }
    });
});
test('a link is deleted, undone, restored from the list, and deleted on its own page', async () => {
    const env_6 = { stack: [], error: void 0, hasError: false };
    try {
        service.links.add('blog');
        service.links.count('docs', 3, ['vh']);
        const page = __addDisposableResource(env_6, await open(), true);
        const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
        await pressForDocs(page, 'Delete');
        await confirm.click();
        await page.getByText('docs is deleted. You can restore it for 90 days.').waitFor();
        expect(await codesOf(page)).toEqual(['blog']);
        await expect.poll(() => readFocus(page)).toBe('Undo');
        expect((await service.links.read('docs'))?.deletedAt).toBeDefined();
        await pressInList(page, 'Deleted links');
        await page.getByText('3 clicks · deleted').waitFor();
        await press(page, 'Undo');
        await expect.poll(() => codesOf(page)).toHaveLength(2);
        await page.getByText('There are none.').waitFor();
        await page.getByRole('link', { name: '/docs' }).click();
        await page.getByRole('heading', { name: 'docs' }).waitFor();
        await pressForDocs(page, 'Delete');
        service.api.failWith = 500;
        await confirm.click();
        await page.getByText("we don't know yet whether the link was deleted. Try again.").waitFor();
        service.api.failWith = undefined;
        await confirm.click();
        await press(page, 'Restore docs');
        expect(new URL(page.url()).hash).toBe('#/');
        await expect.poll(() => codesOf(page)).toHaveLength(2);
        expect(await service.links.read('docs')).toMatchObject({ owner: 'ada', clicks: 3 });
    }
    catch (e_6) {
        env_6.error = e_6;
        env_6.hasError = true;
    }
    finally {
        const result_6 = __disposeResources(env_6);
        if (result_6)
            await result_6;
    }
});
test('an API key is created, copied and revoked with the keyboard, and its secret is shown once', async () => {
    const env_7 = { stack: [], error: void 0, hasError: false };
    try {
        const page = __addDisposableResource(env_7, await open(), true);
        await pressInList(page, 'API keys');
        const dialog = page.getByRole('dialog');
        const name = dialog.getByLabel('Name of a new key');
        const submit = async (text) => {
            await name.press('Enter');
            await dialog.getByText(text).waitFor();
        };
        await submit('Enter a name of 1 to 50 letters');
        await page.keyboard.type('backup');
        await dialog.getByLabel('It may').selectOption('Read and write');
        service.api.failWith = 500;
        await submit("The service didn't confirm it. If the key is in the list, revoke it");
        expect(await name.inputValue()).toBe('backup');
        service.api.failWith = undefined;
        await submit("Copy the key now. It won't be shown again.");
        const secret = await dialog.locator('code').innerText();
        expect(secret).toMatch(/^clicktally_\w{46}$/);
        expect(await readFocus(page)).toBe('Copy the key');
        await press(page, 'Done');
        await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
        await dialog.getByText('never used').waitFor();
        expect(await page.content()).not.toContain(secret.slice(-36));
        const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage])');
        expect(stored).not.toContain(secret);
        expect(await dialog.getByRole('listitem').innerText()).toContain('backup Read and write');
        await name.fill('backup');
        await submit('You already have an API key with this name.');
        await press(page, 'Revoke backup');
        expect(service.api.requests.filter((call) => call.startsWith('DELETE'))).toEqual([]);
        await page.keyboard.press('Enter');
        await dialog.getByText('backup is revoked. It stops working within 30 seconds.').waitFor();
        await expect.poll(() => dialog.getByRole('listitem').count()).toBe(0);
        expect(await readFocus(page)).toBe('Cancel');
        await page.keyboard.press('Escape');
        await expect.poll(() => readFocus(page)).toBe(listMenu);
    }
    catch (e_7) {
        env_7.error = e_7;
        env_7.hasError = true;
    }
    finally {
        const result_7 = __disposeResources(env_7);
        if (result_7)
            await result_7;
    }
});
// As bytes. Without it, Excel takes UTF-8 for another encoding.
const byteOrderMark = '\xef\xbb\xbf';
async function download(page, name) {
    const event = page.waitForEvent('download');
    if (name === downloadLinks)
        await pressInList(page, name);
    else
        await press(page, name);
    const file = await event;
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'latin1') };
}
const downloadLinks = 'Download links (CSV)';
test("all links, also those that aren't shown, a link's clicks and its QR code are downloaded", async () => {
    const env_8 = { stack: [], error: void 0, hasError: false };
    try {
        for (let index = 0; index < 230; index += 1)
            service.links.add(`link-${index}`);
        service.links.count('docs', 10, ['vh', 'dm', 'rd', 'h09'], 100);
        service.links.count('docs', 5, ['vb', 'do', 'rd', 'h09']);
        const page = __addDisposableResource(env_8, await open(), true);
        await page.getByRole('link', { name: '/link-229' }).waitFor();
        service.api.failWith = 500;
        await pressInList(page, downloadLinks);
        await page.getByText("links.csv wasn't downloaded. Try again.").waitFor();
        service.api.failWith = undefined;
        const links = await download(page, downloadLinks);
        const [header, ...lines] = links.text.trimEnd().split('\n');
        expect(links.name).toBe('links.csv');
        expect(header).toEqual(expect.stringMatching(`^${byteOrderMark}code,shortUrl,url,`));
        expect(lines.map((line) => line.split(',')[0])).toEqual(await service.links.codes());
        await page.getByText('Downloaded links.csv.').waitFor();
        expect(await page.getByText("wasn't downloaded").count()).toBe(0);
        await page.goto(`${service.url}#/links/docs?range=7d`);
        await page.getByRole('table', { name: 'Devices' }).waitFor();
        const today = new Date().toISOString().slice(0, 10);
        const csv = await download(page, 'Each day as CSV');
        const json = await download(page, 'Sums as JSON');
        await page.getByText('All', { exact: true }).click();
        await expect.poll(() => page.locator('.figures').innerText()).toMatch(/^Clicks\s+15/);
        const all = await download(page, 'Each day as CSV');
        expect(csv.name).toMatch(new RegExp(`^docs [-\\d]{10} to ${today}\\.csv$`));
        expect(csv.text).toMatch(/^\xef\xbb\xbfdate,clicks,.*\n[-\d]+,5,.*\n$/);
        expect(JSON.parse(json.text).days).toEqual([{ date: today, count: 5, people: 0, bots: 5 }]);
        expect(all.text).toMatch(/^\xef\xbb\xbfdate,clicks,.*\n[-\d]+,10,.*\n[-\d]+,5,.*\n$/);
        await press(page, 'QR code');
        for (const [type, start] of [
            ['SVG', /^<svg xmlns="http:..www.w3.org.2000.svg" viewBox="0 0 \d+ \d+"/],
            ['PNG', /^\x89PNG/],
        ]) {
            const { name, text } = await download(page, `Save ${type}`);
            expect(name).toEqual(`docs.${type.toLowerCase()}`);
            expect(text).toEqual(expect.stringMatching(start));
        }
    }
    catch (e_8) {
        env_8.error = e_8;
        env_8.hasError = true;
    }
    finally {
        const result_8 = __disposeResources(env_8);
        if (result_8)
            await result_8;
    }
});
describe('an import', () => {
    const rowsOf = (count) => Array.from({ length: count }, (_, index) => `https://example.com/${index}\n`).join('');
    const csvOf = (content) => {
        return { name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };
    };
    const choose = (page, content) => page.getByLabel('CSV file').setInputFiles(csvOf(content));
    const confirm = (page, rows, text) => pressAndSee(page, `Import ${rows}`, text);
    test('creates a link for each row once, although it is interrupted, repeated and stopped by the daily limit', async () => {
        const env_9 = { stack: [], error: void 0, hasError: false };
        try {
            const page = __addDisposableResource(env_9, await open(), true);
            const release = Promise.withResolvers();
            let calls = 0;
            await page.route('**/links/import', async (route) => {
                calls += 1;
                if (calls === 3)
                    await release.promise;
                await route.continue();
            });
            await pressInList(page, 'Import links');
            const chooser = page.waitForEvent('filechooser');
            await press(page, 'Choose a file');
            await (await chooser).setFiles(csvOf(`url\n${rowsOf(120)}`));
            service.api.failWith = 503;
            await confirm(page, '120 rows', 'No row is imported twice.');
            service.api.failWith = undefined;
            await choose(page, `url\n${rowsOf(120)}`);
            await confirm(page, '120 rows', '100 of 120 rows');
            expect(await page.getByRole('progressbar').getAttribute('value')).toBe('100');
            await page.getByRole('link', { name: '/docs' }).click();
            await page.getByRole('link', { name: '‹ Your links' }).click();
            await page.getByText('100 of 120 rows').waitFor();
            release.resolve();
            await page.getByText('120 links created, 0 already existed, 0 rows refused.').waitFor();
            const { name, text } = await download(page, 'Download results (CSV)');
            service.links.limitTo(5);
            await choose(page, `url\n${rowsOf(130)}`);
            await confirm(page, '130 rows', '5 links created, 120 already existed, 0 rows refused.');
            const daily = "You've reached your daily limit. For the other 5 rows, import the file again";
            await page.getByText(`${daily} tomorrow (UTC).`).waitFor();
            expect(await service.links.codes()).toHaveLength(126);
            const [header, first, ...others] = text.trimEnd().split('\n');
            const names = `${byteOrderMark}line,url,code,shortUrl,outcome,message`;
            expect(name).toBe('links.result.csv');
            expect(header).toEqual(names);
            expect(first).toMatch(/^2,https:\/\/example.com\/0,[\w-]+,http:\/\/localhost.*,created,$/);
            expect(others).toHaveLength(119);
            await page.getByText('clicks counted on 126 links').waitFor();
        }
        catch (e_9) {
            env_9.error = e_9;
            env_9.hasError = true;
        }
        finally {
            const result_9 = __disposeResources(env_9);
            if (result_9)
                await result_9;
        }
    });
    test('gives a link a new code only after a yes, if the file may have its code', async () => {
        const env_10 = { stack: [], error: void 0, hasError: false };
        try {
            const page = __addDisposableResource(env_10, await open(), true);
            await pressInList(page, 'Import links');
            await choose(page, 'Ref,url\nspring-sale,https://example.com/a\n');
            await page.getByText('The column Ref of links.csv may have the codes.').waitFor();
            await press(page, 'Import 1 row');
            expect(service.api.requests).not.toContain('POST /links/import');
            await page.getByLabel('Give every link a new code').check();
            await confirm(page, '1 row', '1 link created');
            expect(await service.links.codes()).not.toContain('spring-sale');
        }
        catch (e_10) {
            env_10.error = e_10;
            env_10.hasError = true;
        }
        finally {
            const result_10 = __disposeResources(env_10);
            if (result_10)
                await result_10;
        }
    });
    test('says what is wrong with a file or with its rows, and creates nothing before that is confirmed', async () => {
        const env_11 = { stack: [], error: void 0, hasError: false };
        try {
            const page = __addDisposableResource(env_11, await open(), true);
            await pressInList(page, 'Import links');
            for (const [content, message] of [
                [Buffer.from('url\nhttps://example.com/é\n', 'latin1'), 'Save it as UTF-8.'],
                [`url\n"https://example.com/\n${'x\n'.repeat(40000)}`, "isn't CSV"],
                ['x'.repeat(6000000), 'at most 5 MB; got 6 MB. Split it.'],
                ['', 'links.csv is empty.'],
            ]) {
                await choose(page, content);
                await page.getByText(message).waitFor();
            }
            const header = '"createdAt","domain","shortCode","shortUrl","longUrl","title","tags","visits"';
            const note = '61 clicks at Shlink, created 2024-08-15';
            const row = '"2024-08-15","s.example","9r2TW","https://s.example/9r2TW","https://example.com/a"';
            await choose(page, Buffer.from(`\ufeff${header}\n${row},"Été","sale|b c",61\n`, 'utf16le'));
            const cells = page.getByRole('table', { name: 'First rows' }).getByRole('cell');
            await expect
                .poll(async () => (await cells.allInnerTexts()).filter((text) => text !== '–'))
                .toEqual(['9r2TW', 'https://example.com/a', 'Été', note, 'sale, b c']);
            await page.getByText('An export of Shlink: shortCode is the code').waitFor();
            await page.getByText("aren't imported: domain, shortUrl.").waitFor();
            expect(service.api.requests).not.toContain('POST /links/import');
            await confirm(page, '1 row', '1 link created');
            expect(await service.links.read('9r2TW')).toMatchObject({
                url: 'https://example.com/a',
                title: 'Été',
                tags: ['sale', 'b c'],
                note,
                clicks: 0,
            });
            await choose(page, '\ufeffURL,Slug,Expiresat,Colour\r\nhttps://example.com/a,good,,A\n=1+1,,\r\n"https://example.com/""b""",good,\rhttps://example.com/c,,2020-01-01T00:00:00Z\r\n');
            await confirm(page, '4 rows', '1 link created, 0 already existed, 3 rows refused.');
            await page.getByText("These columns aren't imported: Colour.").waitFor();
            expect(await page.locator('.refusals li').allInnerTexts()).toEqual([
                'Line 3: Enter a web address, such as https://example.com/page.',
                'Line 4, code good: The code good is taken. Choose another one, or leave it out.',
                'Line 5: Enter a time in the future.',
            ]);
            const { text } = await download(page, 'Download results (CSV)');
            expect(text).toContain("3,'=1+1,,,refused,");
            // A file that is dropped. Its row has the identity that the command gives it.
            const request = page.waitForRequest('**/links/import');
            const data = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['url\\nhttps://example.com/é\\n'], 'dropped.csv'));
      return data;
    })()`);
            await page.locator('.drop').dispatchEvent('drop', { dataTransfer: data });
            await confirm(page, '1 row', '1 link created');
            const hash = createHash('sha256').update('["https://example.com/é",null,null] 0');
            const link = { key: hash.digest('base64url'), url: 'https://example.com/é' };
            expect((await request).postDataJSON().links).toEqual([link]);
        }
        catch (e_11) {
            env_11.error = e_11;
            env_11.hasError = true;
        }
        finally {
            const result_11 = __disposeResources(env_11);
            if (result_11)
                await result_11;
        }
    });
});
