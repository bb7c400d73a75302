import { render } from 'preact';
import { session } from './state/app.ts';
import { followBrowser } from './state/browser.ts';
import { App } from './views/app.tsx';

followBrowser();
const root = document.querySelector('#page');
if (root) render(<App />, root);
await session.start();
