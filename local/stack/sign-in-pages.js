import { readFileSync } from 'node:fs';
// The live page's own, so that a user sees one service.
const style = ['base', 'controls']
    .map((name) => new URL(`../../dashboard/styles/${name}.css`, import.meta.url))
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
/**
 * The headers of every response. `script-src` is present because oidc-provider adds the hash of its
 * script that submits a form.
 */
export const signInHeaders = {
    'content-security-policy': "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    // With `no-referrer`, browsers would send forms with the origin "null".
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
};
/** The predefined users of the local stack. The id is the `sub` claim. */
export const users = [
    { id: 'local-user', name: 'Ada', email: 'ada@example.com' },
    { id: 'other-local-user', name: 'Grace', email: 'grace@example.com' },
];
export function showSignIn(ctx) {
    const buttons = users.map(({ id, name }) => `<button class="button is-large" name="user" value="${id}">${name}</button>`);
    const lead = `<p class="lead">This is the local stack, so you don't need a password.</p>`;
    const form = `<form method="post" class="buttons">${buttons.join('')}</form>`;
    showPage(ctx, 'Sign in to click-tally', `${lead}\n${form}`);
}
export function showSignedOut(ctx) {
    showPage(ctx, 'You are signed out', '<p class="lead">You can close this page.</p>');
}
export function showError(ctx, reason) {
    showPage(ctx, 'You are not signed in', `<p class="lead">${escapeHtml(reason)}</p>`);
}
function showPage(ctx, title, content) {
    ctx.type = 'html';
    ctx.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main class="welcome">
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}
function escapeHtml(text) {
    return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
