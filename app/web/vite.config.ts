import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { adoptedStyles } from './bundling/adopted-styles.ts';
import { compressed } from './bundling/compressed.ts';
import { pieceOf } from './bundling/first-view.ts';
import { withoutDescriptions } from './bundling/without-descriptions.ts';

const ENTRY = `${import.meta.dirname}/main.tsx`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), withoutDescriptions(), adoptedStyles(), compressed()],
  resolve: {
    alias: {
      // Its version for browsers reads entities with a document, which the worker that reads notes has not.
      'decode-named-character-reference': fileURLToPath(
        import.meta.resolve('decode-named-character-reference'),
      ),
    },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2024',
    // The policy of the page allows no font of a data: address.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: pieceOf(ENTRY), debugName: 'first or late' }] },
        // The first view names all the others: a letter less of each is fifty bytes of it.
        chunkFileNames: 'assets/[name]-[hash:7].js',
      },
    },
  },
});
