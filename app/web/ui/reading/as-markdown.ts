import { bodyAt } from './front-matter.ts';

/** A note to be copied elsewhere: its source, with its title as a heading above it unless it begins with one. */
export function asMarkdown(value: string, title: string): string {
  const at = bodyAt(value);
  const body = value.slice(at);
  const begins = /^\s*(?:#{1,6}[ \t]|[^\n]+\n={3,}[ \t]*(?:\n|$))/.test(body);
  if (begins || title.trim() === '') return value;
  return `${value.slice(0, at)}# ${title.replace(/\s+/g, ' ').trim()}\n\n${body}`;
}
