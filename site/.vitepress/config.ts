import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { slug } from 'github-slugger';
import type { Plugin } from 'vite';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { withMermaid } from 'vitepress-plugin-mermaid';
import { checkAnchors } from './check-anchors.ts';
import { linkToSource } from './link-to-source.ts';

const layer = 'packages/powertools-idempotency-transactional';

const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: 'Use it',
    items: [
      { text: 'Overview', link: '/' },
      { text: 'Getting started', link: '/docs/getting-started' },
      { text: 'Deploy', link: '/docs/deploy' },
      { text: 'Settings', link: '/docs/settings' },
      { text: 'Publish your own clicks', link: '/docs/producers' },
      { text: 'What counts as a click', link: '/docs/what-counts-as-a-click' },
      { text: 'People and bots', link: '/docs/people-and-bots' },
      { text: 'Visitors', link: '/docs/visitors' },
    ],
  },
  {
    text: 'Operate it',
    items: [
      { text: 'Runbook', link: '/docs/runbook' },
      { text: 'Upgrade and roll back', link: '/docs/upgrade' },
      { text: 'What happens when something fails', link: '/docs/failures' },
      { text: 'Costs and speed', link: '/docs/costs-and-speed' },
    ],
  },
  {
    text: 'Doubt it',
    items: [
      { text: 'The guarantee', link: '/docs/guarantee' },
      { text: 'How it counts', link: '/docs/how-it-counts' },
      { text: 'The comparison', link: '/docs/compare' },
      { text: 'Proof', link: '/docs/proof' },
      { text: 'Simulation', link: '/docs/simulation' },
      { text: 'Security', link: '/docs/security' },
      { text: 'Decisions', link: '/docs/decisions' },
    ],
  },
  {
    text: 'The persistence layer',
    collapsed: true,
    items: [
      { text: 'Overview', link: `/${layer}/README` },
      { text: 'Recipes', link: `/${layer}/recipes` },
      { text: 'Testing your code', link: `/${layer}/testing` },
      { text: 'Example: orders', link: `/${layer}/examples/orders/README` },
      { text: 'API reference', link: '/site/api' },
      { text: 'Comparison with Powertools', link: `/${layer}/comparison` },
      { text: 'Alternatives', link: `/${layer}/alternatives` },
      { text: 'Durable functions', link: `/${layer}/durable-functions` },
    ],
  },
  {
    text: 'Change it',
    collapsed: true,
    items: [
      { text: 'Contributing', link: '/CONTRIBUTING' },
      { text: 'Testing', link: '/docs/contributing/testing' },
      { text: 'Add a field to a link', link: '/docs/contributing/add-a-field' },
      { text: 'Add a breakdown', link: '/docs/contributing/add-a-breakdown' },
      { text: 'The local stack', link: '/docs/local-stack' },
      { text: 'Proofs', link: '/proofs/README' },
      { text: 'Security policy', link: '/SECURITY' },
      { text: 'Maintainers', link: '/MAINTAINERS' },
      { text: 'Changelog', link: '/CHANGELOG' },
    ],
  },
];

/** Pages are outside this folder, whose packages they need. */
const resolveFromHere: Plugin = {
  name: 'resolve-from-here',
  enforce: 'pre',
  resolveId(source, importer) {
    const isPage = importer?.endsWith('.md') ?? false;
    return isPage && /^vue($|\/)/.test(source) ? this.resolve(source, import.meta.filename) : null;
  },
};

/** Takes Mermaid as it's published for browsers. To bundle its source would take most of the build. */
const mermaidForBrowsers: Plugin = {
  name: 'mermaid-for-browsers',
  enforce: 'pre',
  resolveId(source, _importer, { ssr }) {
    if (source !== 'mermaid') return null;
    if (ssr) return { id: source, external: true };
    return fileURLToPath(import.meta.resolve('mermaid/dist/mermaid.esm.min.mjs'));
  },
};

export default withMermaid(
  defineConfig({
    title: 'click-tally',
    description: 'A link shortener for AWS that counts every click exactly once.',
    // GitHub Pages serves a repository's site below its name.
    base: process.env.BASE_PATH ? `${process.env.BASE_PATH}/` : '/',
    srcDir: path.join(import.meta.dirname, '../..'),
    srcExclude: ['**/node_modules/**', '**/.*/**', 'reports/**'],
    rewrites: { 'README.md': 'index.md' },
    cleanUrls: true,
    markdown: {
      // The same anchors as on GitHub.
      anchor: { slugify: (heading) => slug(heading) },
      config: linkToSource,
    },
    themeConfig: {
      sidebar,
      search: { provider: 'local' },
      outline: { level: [2, 3] },
    },
    vite: {
      plugins: [resolveFromHere, mermaidForBrowsers],
      ssr: { external: ['vue', 'vue/server-renderer'] },
      // It takes a quarter of the build, and would make the site 1 % smaller.
      build: { rollupOptions: { treeshake: false } },
    },
    buildEnd: ({ outDir }) => checkAnchors(outDir),
  }),
);
