/** What Enter may do with what was typed. */
export type QuickChoice =
  { kind: 'keep' } | { kind: 'ask'; question: string } | { kind: 'open'; namespace: string; key: string };

/**
 * What is offered for a text, the likeliest first: a thought is kept, and what begins or ends with a question mark is asked; what is
 * found comes after it.
 */
export function choicesFor(
  text: string,
  { canWrite, found }: { canWrite: boolean; found: readonly { namespace: string; key: string }[] },
): QuickChoice[] {
  const said = text.trim();
  if (said === '' || said === '?') return [];
  const question = said.replace(/^\?\s*/, '');
  const ask: QuickChoice = { kind: 'ask', question };
  const keep: QuickChoice[] = canWrite && !said.startsWith('?') ? [{ kind: 'keep' }] : [];
  const opens = found.map(({ namespace, key }): QuickChoice => ({ kind: 'open', namespace, key }));
  const isQuestion = said.startsWith('?') || said.endsWith('?');
  return isQuestion ? [ask, ...keep, ...opens] : [...keep, ...opens, ask];
}
