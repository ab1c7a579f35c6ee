import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';

const lowlight = createLowlight({
  bash,
  css,
  diff,
  go,
  ini,
  javascript,
  json,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
});

/** A run of code, and the class of its colour, such as `hljs-keyword`. */
export interface ColouredCode {
  text: string;
  className: string;
}

type Content = ReturnType<typeof lowlight.highlight>['children'][number];

/** Code in the colours of its language; undefined where notes seldom have that language. */
export function coloured(language: string, code: string): ColouredCode[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  return lowlight.highlight(language, code).children.flatMap((child) => runsOf(child, ''));
}

function runsOf(node: Content, around: string): ColouredCode[] {
  if (node.type === 'text') return [{ text: node.value, className: around }];
  if (node.type !== 'element') return [];
  const names = node.properties['className'];
  const className = Array.isArray(names) ? names.join(' ') : around;
  return node.children.flatMap((child) => runsOf(child, className));
}
