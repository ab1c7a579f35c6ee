import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import { formatCount, formatDate } from '../../platform/format.ts';
import { plainWords } from '../../ui/reading/plain-line.ts';
import { bodyOnce } from './said-once.ts';

/** An insight as it is read: what it quotes of notes stands without their Markdown, and nothing that stands elsewhere on it. */
export function readable(insight: Insight): Insight {
  const sources = insight.sources.map((source) => ({ ...source, sentence: plainWords(source.sentence) }));
  const plain = { ...insight, title: plainWords(insight.title), sources };
  const body = bodyOnce(plain);
  return { ...plain, body: withDays(body), title: body === '' ? aboutOf(plain) : plain.title };
}

/** What an insight is about that is called by a name alone, such as a tag: `incident` says nothing by itself. */
function aboutOf({ strategy, title, sources }: Pick<Insight, 'strategy' | 'title' | 'sources'>): string {
  const isNamed = sources.every(({ sentence }) => sentence.includes(title) && sentence !== title);
  const notes = new Set(sources.map(({ key }) => key)).size;
  switch (strategy) {
    case 'synthesize':
      return notes < 2 ? title : `${formatCount(notes)} notes about “${title}”`;
    case 'connect':
      return isNamed ? `Both name “${title}”` : title;
    case 'rem':
      return isNamed ? `“${title}” is linked, and there is no such note` : title;
    default:
      return title;
  }
}

/** A text with its days as the reader writes them. */
function withDays(text: string): string {
  return text.replaceAll(/\b\d{4}-\d\d-\d\d\b/gu, (day) => formatDate(day));
}

/** What the tab of the browser says: how many proposals wait, and where one is. */
export function titleOf(view: string, waiting: number | undefined): string {
  return `${waiting === undefined || waiting === 0 ? '' : `(${waiting}) `}${view} · Reverie`;
}
