import type { ModelReply, ModelRequest } from '../../../models/testing/fake-model-server.ts';
import { said } from '../../../models/testing/fake-model-server.ts';

/** Settings that have dreams read with a model at an address. */
export function readingWith(baseUrl: string, more: Record<string, string> = {}): Record<string, string> {
  return { REVERIE_LLM_BASE_URL: baseUrl, REVERIE_LLM_MODEL: 'reader', ...more };
}

/** A note as it stands on a sheet. */
export interface NoteOnSheet {
  readonly note: number;
  readonly key: string;
  readonly isNew: boolean;
  readonly text: string;
}

/** The prompt that a server was asked with, as it was before it was put into JSON. */
export function promptIn({ body }: Pick<ModelRequest, 'body'>): string {
  const messages = body['messages'] as readonly { content: string }[];
  return messages.at(-1)?.content ?? '';
}

/** The notes of the sheet that a server was asked about. */
export function notesIn(asked: Pick<ModelRequest, 'body'>): NoteOnSheet[] {
  return [
    ...promptIn(asked).matchAll(/^n(\d+)( \+)? \| [^|]+ \| ([^|\n]+?)(?: \| .*)?\n((?: {2}.*(?:\n|$))+)/gmu),
  ].map(([, note, mark, key = '', text = '']) => ({
    note: Number(note),
    key,
    isNew: mark !== undefined,
    text: text.replaceAll(/^ {2}/gmu, '').trim(),
  }));
}

/** A finding that quotes notes of a sheet, each of them whole. */
export function findingOn(kind: string, notes: readonly NoteOnSheet[], more: Record<string, unknown> = {}) {
  return {
    kind,
    notes: notes.map(({ note, text }) => ({ note, quote: text })),
    title: `About ${notes.map(({ key }) => key).join(' and ')}`,
    why: 'Because the notes say so.',
    due: '',
    settle: '',
    ...more,
  };
}

/** The reply of a model that has these findings, for so many tokens. */
export function replied(findings: readonly object[], tokens?: number): ModelReply {
  return said(JSON.stringify({ findings }), tokens);
}
