import type { AskReply } from '@reverie/shared/contract/ask';

import type { Question } from './benchmark.ts';

/** A question with what ask said of it. */
export interface Answered {
  question: Question;
  reply: AskReply;
}

/** All questions that nothing answers, and so many of the others, evenly over each kind, in the order of the file. */
export function sampleOf(questions: readonly Question[], size: number): Question[] {
  const answerable = questions.filter(({ unanswerable }) => !unanswerable);
  const share = Math.min(1, size / answerable.length);
  const seen = new Map<string, number>();
  return questions.filter(({ kind, unanswerable }) => {
    if (unanswerable) return true;
    const at = seen.get(kind) ?? 0;
    seen.set(kind, at + 1);
    return Math.floor((at + 1) * share) > Math.floor(at * share);
  });
}

/** The figures, as text. */
export function reportOf(all: readonly Answered[], counts: { answered: number; missing: number }): string {
  const kinds = [...new Set(all.map(({ question }) => question.kind))];
  const answerable = all.filter(({ question }) => !question.unanswerable);
  const rows = kinds.map((kind) =>
    rowOf(
      kind,
      all.filter(({ question }) => question.kind === kind),
    ),
  );
  const explained = all.flatMap(({ reply }) => (reply.understood ? [reply.understood] : []));
  const dropped = explained.reduce((sum, { unsupported = 0 }) => sum + unsupported, 0);
  const failed = explained.filter(({ model_failed: reason }) => reason !== undefined).length;
  const bySigns = explained.filter(({ decided_by: by }) => by === 'signs').length;
  return [
    `${all.length} questions`,
    ...rows,
    ...(answerable.length > 0 ? [rowOf('all that memory answers', answerable)] : []),
    `decided by signs: ${bySigns}, of them ${failed} because the model failed or supported nothing`,
    `sentences dropped as unsupported: ${dropped}`,
    `replies from the record: ${counts.answered}, missing: ${counts.missing}`,
    ...(counts.missing > 0 ? ['REPLIES ARE MISSING: THESE FIGURES MEAN NOTHING'] : []),
    '',
  ].join('\n');
}

function rowOf(name: string, some: readonly Answered[]): string {
  const share = (which: readonly Answered[]) =>
    `${which.length}/${some.length} (${((100 * which.length) / some.length).toFixed(1)} %)`;
  const declined = some.filter(({ reply }) => !reply.found);
  const bySigns = some.filter(({ reply }) => reply.understood?.signs_found === false);
  if (some.every(({ question }) => question.unanswerable))
    return `${name}: rightly "not in memory" ${share(declined)}; the signs alone ${share(bySigns)}`;
  const cites = ({ question, reply }: Answered, how: 'some' | 'every') =>
    question.evidence[how]((key) => reply.citations.some((citation) => citation.key === key));
  return [
    `${name}: wrongly "not in memory" ${share(declined)}; the signs alone ${share(bySigns)}`,
    `evidence cited ${share(some.filter((one) => cites(one, 'some')))}`,
    `all of it ${share(some.filter((one) => cites(one, 'every')))}`,
  ].join('; ');
}
