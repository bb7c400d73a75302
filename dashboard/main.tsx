import { render } from 'preact';
import { loadLazyCode } from './config.ts';
import { followBrowser } from './state/browser.ts';
import { session } from './state/services.ts';
import { App } from './views/app.tsx';

followBrowser();
const root = document.querySelector('#page');
if (root) render(<App />, root);
await session.start();
// A deployment removes an open page's files, so it takes all of them early.
await Promise.allSettled([loadLazyCode(), import('./views/lazy-views.ts')]);
