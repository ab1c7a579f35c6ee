import type { Plugin } from 'vite';

const WRITTEN = '!root.head && root.adoptedStyleSheets';

/**
 * Has CodeMirror's style-mod adopt its style sheet in a document, too, as it does in a shadow root: the page's policy blocks the
 * style element that it would write instead.
 */
export function adoptedStyles(): Plugin {
  return {
    name: 'adopted-styles',
    apply: 'build',
    transform(code, id) {
      if (!/\/style-mod\/[^?]*\.js$/.test(id)) return null;
      if (!code.includes(WRITTEN))
        throw new Error(`${id} does not say \`${WRITTEN}\` any more: see how it now adopts style sheets`);
      return { code: code.replace(WRITTEN, 'root.adoptedStyleSheets'), map: null };
    },
  };
}
