import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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

/** Puts script and style into the HTML: hosts show one file, which may load nothing. */
function inOneFile(): Plugin {
  return {
    name: 'in-one-file',
    apply: 'build',
    enforce: 'post',
    generateBundle: (_, bundle) => {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('There is no index.html to put things into');
      let [scripts, styles] = ['', ''];
      for (const [name, part] of Object.entries(bundle)) {
        if (part === page) continue;
        if (part.type === 'chunk' && part.isEntry) scripts += part.code;
        else if (part.type === 'asset' && name.endsWith('.css')) styles += String(part.source);
        else throw new Error(`${name} would have to be loaded by itself`);
        Reflect.deleteProperty(bundle, name);
      }
      page.source = String(page.source)
        .replace(/<script[^>]*><\/script>|<link rel="stylesheet"[^>]*>/g, '')
        // As functions: `$` in what is put in is no pattern. No text of a script may end it.
        .replace('</head>', () => `<style>${styles}</style></head>`)
        .replace(
          '</body>',
          () => `<script type="module">${scripts.replaceAll('</script', '<\\/script')}</script></body>`,
        );
    },
  };
}
