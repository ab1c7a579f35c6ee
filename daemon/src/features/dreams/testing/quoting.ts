import type { ModelRequest } from '../../../models/testing/fake-model-server.ts';
import type { NoteQuote } from '../reader/prompts.ts';

/** Quotes notes of a sheet, each of them whole; a note that is not there is quoted all the same. */
export function quotesOn(prompt: string, ids: readonly string[]): NoteQuote<string>[] {
  const lines = prompt.split('\n');
  return ids.map((note) => {
    const line = lines.find((one) => one.startsWith(`${note} `));
    return { note, words: line?.split(' | ').at(-1) ?? 'what no note says' };
  });
}

/** Quotes the notes below a claim, each of them whole. */
export function quotesBelow(prompt: string, claim: string): NoteQuote<number>[] {
  const block = prompt.split('\n\n').find((one) => one.startsWith(`${claim}:`)) ?? '';
  return [...block.matchAll(/^(\d+)\. .* \| (.*)$/gmu)].map(([, note, words = '']) => ({
    note: Number(note),
    words,
  }));
}

/** The prompt that a server was asked with, as it was before it was put into JSON. */
export function promptIn({ body }: Pick<ModelRequest, 'body'>): string {
  const messages = body['messages'] as readonly { content: string }[];
  return messages.at(-1)?.content ?? '';
}
