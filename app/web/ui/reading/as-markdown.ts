import { bodyAt } from './front-matter.ts';

/** A note to take elsewhere: its source, below its title as a heading where it begins with none. */
export function asMarkdown(value: string, title: string): string {
  const at = bodyAt(value);
  const body = value.slice(at);
  const begins = /^\s*(?:#{1,6}[ \t]|[^\n]+\n={3,}[ \t]*(?:\n|$))/.test(body);
  if (begins || title.trim() === '') return value;
  return `${value.slice(0, at)}# ${title.replace(/\s+/g, ' ').trim()}\n\n${body}`;
}
