import { render } from 'preact';
import { followBrowser } from './state/browser.ts';
import { session } from './state/services.ts';
import { App } from './views/app.tsx';

followBrowser();
const root = document.querySelector('#page');
if (root) render(<App />, root);
await session.start();
