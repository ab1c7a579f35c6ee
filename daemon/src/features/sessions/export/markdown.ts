import { exportEnd } from '@reverie/shared/contract/sessions/session-export';
import type { Token } from 'markdown-it';
import { leadsElsewhere, parserOfMarkdown } from './parser.ts';
import {
  endSentence,
  type ExportedEntry,
  type ExportedSession,
  isShownAsItIs,
  nameOf,
  type SessionWriter,
  shownTime,
} from './exported.ts';
import { isDiff } from './diff.ts';
import { oneLine, plain } from './plain.ts';

/** Writes a session as Markdown: what was said is quoted, so that nothing of it reaches beyond its place; what tools did is code. */
export function markdownWriter(): SessionWriter {
  let hasSecrets = false;
  return {
    head(session) {
      hasSecrets = session.hasSecrets;
      return headOf(session);
    },
    entry: entryOf,
    end: (counts) => `---\n\n${endSentence(counts, hasSecrets)}\n\n${exportEnd(counts)}`,
  };
}

function headOf({ title, agent, project, branch, models, tokens, from, until }: ExportedSession): string {
  const facts = [
    ['Agent', agent],
    ['Project', project],
    ['Branch', branch],
    ['Models', models.join(', ')],
    ['Tokens', tokens === 0 ? '' : tokens.toLocaleString('en-GB')],
    ['From', `${shownTime(from)} to ${shownTime(until)} UTC`],
  ] as const;
  const lines = facts.flatMap(([name, value]) =>
    value ? [`- ${name}: ${literally(oneLine(value, 300))}`] : [],
  );
  return `# ${literally(oneLine(title, 200))}\n\n${lines.join('\n')}\n\n`;
}

function entryOf(entry: ExportedEntry): string {
  const { kind, at, id, files } = entry;
  const text = plain(entry.text);
  const isSaid = kind === 'prompt' || kind === 'answer' || kind === 'summary' || kind === 'note';
  const level = kind === 'prompt' ? '##' : '###';
  const about = entry.replyTo === null ? '' : ` about ${entry.replyTo.slice(0, 12)}`;
  const head = `${level} ${literally(oneLine(nameOf(entry), 100))}\n\n_${shownTime(at)}, ${id.slice(0, 12)}${about}_\n\n`;
  const named = files.filter((file) => !text.includes(file)).map((file) => oneLine(file, 300));
  const list = named.length === 0 ? '' : `${named.map((file) => `- ${literally(file)}`).join('\n')}\n\n`;
  return `${head}${isSaid ? quoted(text) : fenced(text)}${list}`;
}

/** What stands for itself wherever it is put. */
function literally(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>#|~!&]/g, '\\$&');
}

function fenced(text: string): string {
  if (text.trim() === '') return '';
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${isDiff(text) ? 'diff' : 'text'}\n${text.replace(/\n+$/, '')}\n${fence}\n\n`;
}

/** Markdown within a quote, which ends whatever was begun in it. HTML and links that leave the web stand as text, and pictures of other places are not fetched. */
function quoted(text: string): string {
  if (text.trim() === '') return '';
  if (isShownAsItIs(text)) return fenced(text);
  const tokens = flat(parserOfMarkdown('everything').parse(text, {}));
  let safe = text;
  if (tokens.some(({ type }) => type === 'html_block' || type === 'html_inline'))
    safe = safe.replaceAll('<', '&lt;');
  if (tokens.some(({ type }) => type === 'image')) safe = safe.replaceAll('![', String.raw`!\[`);
  if (tokens.some(isLinkElsewhere)) {
    safe = withoutLinksElsewhere(safe);
    if (flat(parserOfMarkdown('everything').parse(safe, {})).some(isLinkElsewhere)) return fenced(text);
  }
  const lines = safe.trim().split('\n');
  return `${lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n')}\n\n`;
}

const isLinkElsewhere = (token: Token) => leadsElsewhere(token.attrGet('href') ?? '');

/** A text whose links stand as they are written where they leave the web; what is written in a stranger way than people do stays a link. */
function withoutLinksElsewhere(text: string): string {
  const { unescapeAll } = parserOfMarkdown('everything').utils;
  const escaping = (mark: string, escaped: string) => (found: string, before: string, to: string) =>
    leadsElsewhere(unescapeAll(to)) ? before + escaped + found.slice(before.length + mark.length) : found;
  return text
    .replaceAll(/(\])\([ \t\n]*<?([^\s)>]*)/g, escaping('(', String.raw`\(`))
    .replaceAll(/^([ \t>]*\[[^\]\n]+\]):\s*<?([^\s>]*)/gm, escaping(':', String.raw`\:`))
    .replaceAll(/()<([a-z][a-z\d+.-]{1,31}:[^<>\s]*)>/gi, escaping('<', '&lt;'));
}

function flat(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) => [token, ...flat(token.children ?? [])]);
}
