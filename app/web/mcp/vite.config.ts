import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { inOneFile } from '../bundling/in-one-file.ts';
import { withoutDescriptions } from '../bundling/without-descriptions.ts';

// Hosts show one file, which may load nothing.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), withoutDescriptions(), inOneFile()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2024',
    cssCodeSplit: false,
    modulePreload: false,
  },
});
