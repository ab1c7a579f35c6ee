/** What Enter may do with what was typed. */
export type QuickChoice =
  { kind: 'keep' } | { kind: 'ask'; question: string } | { kind: 'open'; namespace: string; key: string };

/** A memory that was found for it. */
interface Hit {
  namespace: string;
  key: string;
  title: string;
  passage?: { text: string } | undefined;
}

/** What is looked for: the text, without the mark of a question before it. */
export function questionOf(text: string): string {
  return text.trim().replace(/^\?\s*/, '');
}

/**
 * What is offered for a text, the likeliest first: a memory that says each of its words is opened, what begins or ends with a question
 * mark is asked, and any other thought is kept; what else was found comes after it.
 */
export function choicesFor(
  text: string,
  { canWrite, found }: { canWrite: boolean; found: readonly Hit[] },
): QuickChoice[] {
  const said = text.trim();
  const question = questionOf(text);
  if (question === '') return [];
  const ask: QuickChoice = { kind: 'ask', question };
  const keep: QuickChoice[] = canWrite && !said.startsWith('?') ? [{ kind: 'keep' }] : [];
  const open = ({ namespace, key }: Hit): QuickChoice => ({ kind: 'open', namespace, key });
  const words = foldedOf(question).split(/\s+/u);
  if (said.startsWith('?') || said.endsWith('?')) return [ask, ...keep, ...found.map(open)];
  const saying = found.filter((hit) => says(hit, words));
  const others = found.filter((hit) => !saying.includes(hit));
  return [...saying.map(open), ...keep, ...others.map(open), ask];
}

/** Whether a memory has each of the words, or something that begins so, in what is shown of it. */
function says({ key, title, passage }: Hit, words: readonly string[]): boolean {
  const shown = foldedOf(`${title} ${passage?.text ?? ''} ${key}`);
  return words.every((word) => shown.includes(word));
}

/** Letters without their case and marks. */
function foldedOf(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
