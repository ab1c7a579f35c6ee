import type { Row } from '../queries.ts';

/** What a row says below its title: how the memory goes on, in one line without Markdown. */
export function oneLine({ value = '', title }: Row): string {
  const plain = value
    .replace(/^---\n[\s\S]*?\n---\n/u, '')
    .replaceAll(/^\s{0,3}(?:#{1,6}|>|[-*+]|\d+\.)\s+(?:\[[ x]\]\s)?/gmu, '')
    .replaceAll(/\[\[([^\]|]+)(?:\|([^\]]+))?\]\]/gu, (_, key: string, text?: string) => text ?? key)
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/[*_`~]{1,3}|^\|?[-:| ]+\|?$/gmu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const start = title.replace(/…$/u, '');
  return plain.startsWith(start) ? plain.slice(start.length).replace(/^[\s.:;,!?…–—-]+/u, '') : plain;
}
