import { createHash } from 'node:crypto';
import { exportEnd } from '@reverie/shared/contract/sessions/session-export';
import { escaped as asHtml } from '@reverie/shared/http/page';
import { diffLine, isDiff } from './diff.ts';
import {
  endSentence,
  type ExportedEntry,
  type ExportedSession,
  isShownAsItIs,
  nameOf,
  type SessionWriter,
  shownTime,
} from './exported.ts';
import { parserOfMarkdown } from './parser.ts';
import { oneLine, plain } from './plain.ts';
import { STYLE } from './style.ts';

/** The page may show itself and nothing else: no script, no request, no form. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** Writes a session as one HTML file that needs nothing else: prompts large, what tools did folded, changes coloured. */
export function htmlWriter(): SessionWriter {
  let hasSecrets = false;
  return {
    head(session) {
      hasSecrets = session.hasSecrets;
      return headOf(session);
    },
    entry: entryOf,
    end: (counts) =>
      `</main>\n<footer>${escaped(endSentence(counts, hasSecrets))}</footer>\n</body>\n</html>\n${exportEnd(counts)}`,
  };
}

/** A text that is nothing but text, in an attribute too. */
function escaped(text: string): string {
  return asHtml(plain(text));
}

function headOf({ title, agent, project, branch, models, tokens, from, until }: ExportedSession): string {
  const facts = [
    agent,
    project,
    branch === null ? null : `branch ${branch}`,
    models.join(', '),
    tokens === 0 ? null : `${tokens.toLocaleString('en-GB')} tokens`,
    `${shownTime(from)} to ${shownTime(until)} UTC`,
  ];
  const name = escaped(oneLine(title, 200));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${name}</h1>
<p>${facts
    .filter(Boolean)
    .map((fact) => escaped(oneLine(fact ?? '', 300)))
    .join(' · ')}</p>
</header>
<main>
`;
}

function entryOf(entry: ExportedEntry): string {
  const { kind, id, at, files, failed } = entry;
  const name = escaped(oneLine(nameOf(entry), 100));
  const time = `<time datetime="${new Date(at).toISOString()}">${shownTime(at)}</time>`;
  const begin = `<article id="${escaped(id)}" class="${kind}${failed ? ' failed' : ''}">`;
  if (kind === 'prompt' || kind === 'answer' || kind === 'summary' || kind === 'note') {
    const about =
      entry.replyTo === null
        ? ''
        : ` <a href="#${escaped(entry.replyTo)}">about ${escaped(entry.replyTo.slice(0, 12))}</a>`;
    const body = kind === 'prompt' ? said(entry.text) : marked(entry.text);
    return `${begin}<h2>${name} ${time}${about}</h2>\n${body}</article>\n`;
  }
  const named = files.filter((file) => !entry.text.includes(file));
  const first = oneLine(
    entry.text
      .slice(0, 2_000)
      .split('\n')
      .find((line) => line.trim() !== '') ?? '',
    120,
  );
  const list = named.map((file) => `<li><code>${escaped(oneLine(file, 300))}</code></li>`).join('');
  return `${begin}<details><summary><b>${name}</b> <code>${escaped(first)}</code> ${time}</summary>
${code(entry.text)}${list === '' ? '' : `<ul>${list}</ul>\n`}</details></article>\n`;
}

/** What a person typed, to the letter. */
function said(text: string): string {
  return `<div class="said">${escaped(text)}</div>\n`;
}

function marked(text: string): string {
  if (isShownAsItIs(text)) return said(text);
  return `<div class="marked">${parserOfMarkdown('shown').render(plain(text))}</div>\n`;
}

function code(text: string): string {
  const whole = plain(text);
  if (!isDiff(whole)) return `<pre>${escaped(whole)}</pre>\n`;
  const lines = whole.split('\n').map((line) => {
    const what = diffLine(line);
    return what === 'same' ? escaped(line) : `<span class="${what}">${escaped(line)}</span>`;
  });
  return `<pre>${lines.join('\n')}</pre>\n`;
}
