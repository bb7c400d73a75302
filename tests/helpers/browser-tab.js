import axe from 'axe-core';
const reportRefusals = `
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    console.error('The policy refused: ' + effectiveDirective + ' ' + blockedURI));
`;
/** Opens a tab with its own storage. `problems` are errors and violations of the content security policy. */
export async function openTab(browser, options = {}) {
    const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        reducedMotion: 'reduce',
        ...options,
    });
    await context.addInitScript(reportRefusals);
    const page = await context.newPage();
    const problems = [];
    page.on('pageerror', (error) => problems.push(`${error}`));
    page.on('console', (message) => {
        // Browsers also log failed requests, some of which the tests cause.
        const isOfNetwork = /Failed to load resource|WebSocket connection/.test(message.text());
        if (message.type() === 'error' && !isOfNetwork)
            problems.push(message.text());
    });
    page[Symbol.asyncDispose] = () => context.close();
    return { page, problems };
}
export async function signIn(page, { url }, hash = '') {
    await page.goto(url + hash);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
}
/** The accessibility rules that the page breaks, with the elements at fault. */
export async function findBarriers(page) {
    // The page's policy blocks script elements, but not the debugger.
    if (!(await page.evaluate('"axe" in window')))
        await page.evaluate(axe.source);
    const options = JSON.stringify({ resultTypes: ['violations'] });
    const { violations } = await page.evaluate(`axe.run(${options})`);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
/** The number of pixels by which the content is wider than the window. */
export function measureOverflow(page) {
    return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}
/** The label or the text of the element with the focus. */
export function readFocus(page) {
    return page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.innerText');
}
