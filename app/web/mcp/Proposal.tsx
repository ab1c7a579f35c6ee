import { type AppDecision, appDecide } from '@reverie/shared/contract/agents/app-tools';
import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import { useRef, useState } from 'react';
import { differing, sentenceOf, titleMarks } from '../features/dreams/differing.ts';
import { readable } from '../features/dreams/readable.ts';
import { changeWords, choicesOf, doneWords, effectOf } from '../features/dreams/words.ts';
import { formatDate } from '../platform/format.ts';
import { Button } from '../ui/Button.tsx';
import { Marked } from '../ui/text/Marked.tsx';
import type { MarkedText } from '../ui/text/marked.ts';
import type { CallTool } from './calling.ts';
import css from './InChat.module.css';
import { wordsOf } from './use-loaded.ts';

/** One proposal: what it says, what it rests on, and the decision, which can be taken back. */
export function Proposal({ proposed, call }: { proposed: Insight; call: CallTool }) {
  const [insight, setInsight] = useState(() => readable(proposed));
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const card = useRef<HTMLLIElement>(null);

  async function decide(to: AppDecision): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setTrouble(undefined);
    try {
      const { insight: changed } = await call(appDecide, { id: insight.id, to });
      setInsight(readable(changed));
      // The button that was pressed is gone: who goes by keyboard goes on from here.
      card.current?.focus();
    } catch (cause) {
      setTrouble(wordsOf(cause));
    } finally {
      setBusy(false);
    }
  }

  const { title, evidence } = readingOf(insight);
  const body = insight.change?.kind === 'update' ? insight.change.value : insight.body;
  return (
    <li className={css['card']} ref={card} tabIndex={-1} aria-label={insight.title}>
      <p className={css['kind']}>{insight.heading}</p>
      <h2 dir="auto" className={css['title']}>
        <Marked {...title} />
      </h2>
      {insight.due_on !== null && <p className={css['soft']}>{formatDate(insight.due_on)}</p>}
      {body !== '' && (
        <p dir="auto" className={css['said']}>
          {body}
        </p>
      )}
      <ul role="list" aria-label="Evidence" className={css['evidence']}>
        {evidence.map(({ key, when, said }, at) => (
          <li key={`${at} ${key}`}>
            <blockquote dir="auto">
              <Marked {...said} />
            </blockquote>
            <p className={css['aside']}>
              {when !== undefined && <span>{when}</span>}
              <bdi className={css['key']}>{key}</bdi>
            </p>
          </li>
        ))}
      </ul>
      <p className={css['soft']} role="status">
        {toldOf(insight)}
      </p>
      {trouble !== undefined && (
        <p className={css['trouble']} role="alert">
          {trouble}
        </p>
      )}
      <p className={css['choices']}>
        {choicesFor(insight).map(({ to, words }, at) => (
          <Button
            key={to}
            look={insight.status === 'proposed' && at === 0 ? 'strong' : 'plain'}
            aria-disabled={isBusy}
            onClick={() => void decide(to)}
          >
            {words}
          </Button>
        ))}
      </p>
    </li>
  );
}

/** What can be done with it now. */
function choicesFor(insight: Insight): { to: AppDecision; words: string }[] {
  if (insight.status !== 'proposed') return [{ to: 'undo', words: 'Undo' }];
  const { accept, reject } = choicesOf(insight);
  return insight.change?.kind === 'disagree'
    ? [
        { to: 'newer', words: accept },
        { to: 'older', words: 'Keep the older' },
        { to: 'both', words: 'Both hold' },
        { to: 'reject', words: reject },
      ]
    : [
        { to: 'accept', words: accept },
        { to: 'reject', words: reject },
      ];
}

/** What accepting does, or what was decided. */
function toldOf(insight: Insight): string {
  switch (insight.status) {
    case 'proposed':
      // Here nothing else says which of the notes stays.
      return insight.change?.kind === 'merge'
        ? `Accepting: ${effectOf(insight)}. Nothing is deleted; undo brings it back.`
        : changeWords(insight);
    case 'accepted':
      return doneWords(insight);
    case 'rejected':
      return 'Rejected: it will not be proposed again.';
  }
}

interface Evidence {
  key: string;
  /** Of two that disagree: which one it is, and of when. */
  when?: string;
  said: MarkedText;
}

/** Title and evidence; of two that disagree with the words marked in which they differ. */
function readingOf(insight: Insight): { title: MarkedText; evidence: Evidence[] } {
  const { change, title, sources } = insight;
  if (change?.kind !== 'disagree')
    return {
      title: { text: title, marks: [] },
      evidence: sources.map(({ key, sentence }) => ({ key, said: { text: sentence, marks: [] } })),
    };
  const { older, newer } = change;
  const told = differing(sentenceOf(insight, older.key), sentenceOf(insight, newer.key));
  return {
    title: titleMarks(title, told),
    evidence: [
      { key: older.key, when: `Older, ${formatDate(older.date)}`, said: told[0] },
      { key: newer.key, when: `Newer, ${formatDate(newer.date)}`, said: told[1] },
    ],
  };
}
