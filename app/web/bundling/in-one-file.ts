import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/**
 * Puts script and style into the one page of a build, for those who may load nothing. `policy` makes a policy that stands in the page, from the
 * hash of its script.
 */
export function inOneFile(policy?: (script: string) => string): Plugin {
  return {
    name: 'in-one-file',
    apply: 'build',
    enforce: 'post',
    // After Vite has written into scripts what they load.
    generateBundle: {
      order: 'post',
      handler: (_, bundle) => {
        const page = Object.values(bundle).find(({ fileName }) => fileName.endsWith('.html'));
        if (page?.type !== 'asset') throw new Error('There is no page to put things into');
        let [scripts, styles] = ['', ''];
        for (const [name, part] of Object.entries(bundle)) {
          if (part === page) continue;
          if (part.type === 'chunk' && part.isEntry) scripts += part.code;
          else if (part.type === 'asset' && name.endsWith('.css')) styles += String(part.source);
          else throw new Error(`${name} would have to be loaded by itself`);
          Reflect.deleteProperty(bundle, name);
        }
        // No text of a script may end it.
        const script = scripts.replaceAll('</script', '<\\/script');
        const meta = policy
          ? `<meta http-equiv="Content-Security-Policy" content="${policy(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)}">`
          : '';
        const style = styles === '' ? '' : `<style>${styles}</style>`;
        page.source = String(page.source)
          .replace(/<script[^>]*><\/script>|<link rel="stylesheet"[^>]*>/g, '')
          // As functions: `$` in what is put in is no pattern.
          .replace(/<meta charset[^>]*>/, (charset) => charset + meta)
          .replace('</head>', () => `${style}</head>`)
          .replace('</body>', () => `<script type="module">${script}</script></body>`);
      },
    },
  };
}
