import { createHash } from 'node:crypto';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { users } from './users.ts';

const style = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif }
body { display: grid; place-content: center; min-height: 100vh; margin: 0 }
main { width: min(22rem, 100vw - 3rem) }
h1 { margin: 0; font-size: 1.5rem }
p { margin: .5rem 0 1.5rem }
button { display: block; width: 100%; margin-top: .75rem; padding: .75rem 1rem; font: inherit;
  text-align: start; border: 1px solid GrayText; border-radius: .5rem; background: Canvas;
  color: CanvasText; cursor: pointer }
button:hover, button:focus-visible { border-color: LinkText; outline: 2px solid LinkText }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

/**
 * The headers of every response. Browsers also apply `form-action` to the redirect after a form, so
 * it lists the origins of the page that users return to. `script-src` is present because
 * oidc-provider adds the hash of its script that submits a form.
 */
export function signInHeaders(origins: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action 'self' ${origins.join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    // With `no-referrer`, browsers would send forms with the origin "null".
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

export function showSignIn(ctx: KoaContextWithOIDC): void {
  const buttons = users.map(({ id, name }) => `<button name="user" value="${id}">${name}</button>`);
  showPage(
    ctx,
    'Sign in to click-tally',
    `<p>This is the local stack, so you don't need a password.</p>
<form method="post">${buttons.join('')}</form>`,
  );
}

export function showSignedOut(ctx: KoaContextWithOIDC): void {
  showPage(ctx, 'You are signed out', '<p>You can close this page.</p>');
}

export function showError(ctx: KoaContextWithOIDC, reason: string): void {
  showPage(ctx, 'You are not signed in', `<p>${escapeHtml(reason)}</p>`);
}

function showPage(ctx: KoaContextWithOIDC, title: string, content: string): void {
  ctx.type = 'html';
  ctx.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
