import { defineConfig } from 'vite';
import { compressed } from '../bundling/compressed.ts';
import { inOneFile } from '../bundling/in-one-file.ts';

// A page without an origin can load nothing from ours: what draws is in it.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [inOneFile((script) => `script-src ${script}`), compressed()],
  build: {
    // Beside the page, which was built before.
    outDir: '../dist',
    emptyOutDir: false,
    target: 'es2024',
    modulePreload: false,
    chunkSizeWarningLimit: 10_000,
    rolldownOptions: { input: 'diagram.html', output: { codeSplitting: false } },
  },
});
