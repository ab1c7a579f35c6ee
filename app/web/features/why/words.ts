const STREAMS: Readonly<Record<string, string>> = {
  facts: 'known facts',
  vectors: 'meaning',
  concepts: 'synonyms',
  words: 'words',
  session: 'its session',
  context: 'the whole namespace',
};

/** What brought a memory, for people. */
export function streamWords(name: string): string {
  return STREAMS[name] ?? plain(name);
}

/** What moved a memory in the order, for people: `answer_type` is `answer type`. */
export function boostWords(name: string): string {
  return plain(name);
}

function plain(name: string): string {
  return name.replaceAll('_', ' ');
}
