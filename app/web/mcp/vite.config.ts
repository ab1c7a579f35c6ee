import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { inOneFile } from '../in-one-file.ts';

// Hosts show one file, which may load nothing.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), inOneFile()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2024',
    cssCodeSplit: false,
    modulePreload: false,
  },
});
