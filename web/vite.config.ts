import { defineConfig, type Plugin } from 'vite';

/** Writes the names of the packages whose code went into the pages: the bill of materials is compared with it. */
const bundledPackages: Plugin = {
  name: 'bundled-packages',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
    const names = modules.flatMap((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
    const source = JSON.stringify([...new Set(names)].sort());
    this.emitFile({ type: 'asset', fileName: 'bundled-packages.json', source });
  },
};

/** Two pages, console and review desk, as files that the gateway serves below /web/. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/web/',
  plugins: [bundledPackages],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // A policy without data: addresses and inline scripts serves them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      // Packages mark what runs in a browser, which everything does here.
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
      input: {
        console: `${import.meta.dirname}/console.html`,
        review: `${import.meta.dirname}/review.html`,
      },
    },
  },
});
