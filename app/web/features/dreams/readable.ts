import type { Insight } from '@reverie/shared/contract/dreams';
import { plainWords } from '../../ui/reading/plain-line.ts';

/** An insight as it is read: what it quotes of notes stands without their Markdown. */
export function readable(insight: Insight): Insight {
  return {
    ...insight,
    title: plainWords(insight.title),
    sources: insight.sources.map((source) => ({ ...source, sentence: plainWords(source.sentence) })),
  };
}

/** What the tab of the browser says: how many proposals wait, and where one is. */
export function titleOf(view: string, waiting: number | undefined): string {
  return `${waiting === undefined || waiting === 0 ? '' : `(${waiting}) `}${view} · Reverie`;
}
