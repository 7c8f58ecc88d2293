// `npm run web:dev`: the pages from their sources, replaced in the browser as they are saved, beside a running gateway.
import react from '@vitejs/plugin-react';
import { mergeConfig, type Plugin, type ProxyOptions } from 'vite';
import build from './vite.config.ts';

const GATEWAY = process.env.SUTURA_BASE_URL ?? `http://127.0.0.1:${process.env.PORT ?? '3000'}`;
const ROOT = `${import.meta.dirname}/..`;

/** As the gateway: each address below them is the page. */
const PAGES = ['console', 'review'];

const pagesAsServed: Plugin = {
  name: 'pages-as-served',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      const [, page = ''] = /^\/(\w+)(?:[/?]|$)/.exec(request.url ?? '') ?? [];
      if (PAGES.includes(page)) request.url = `/web/${page}.html`;
      next();
    });
  },
};

/** The gateway refuses changes that the page of another origin asks for; here it is asked in its own name. */
const toGateway: ProxyOptions = {
  target: GATEWAY,
  changeOrigin: true,
  configure: (proxy) =>
    proxy.on('proxyReq', (request) => {
      if (request.getHeader('origin') !== undefined) request.setHeader('origin', new URL(GATEWAY).origin);
    }),
};

export default mergeConfig(build, {
  plugins: [react(), pagesAsServed],
  cacheDir: `${ROOT}/.cache/vite`,
  optimizeDeps: { entries: PAGES.map((page) => `${page}.html`) },
  server: {
    host: '127.0.0.1',
    // Below /web/ are the sources of the pages, and everything else is the gateway's.
    proxy: { [`^/(?!web/|(?:${PAGES.join('|')})(?:[/?]|$))`]: toGateway },
    fs: { allow: [import.meta.dirname, `${ROOT}/src`, `${ROOT}/node_modules`] },
  },
});
