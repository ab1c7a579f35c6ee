import { memo } from 'react';
import { countOf } from '../../platform/format.ts';
import { diff, diffWords, linesOf, type DiffRun } from './diff.ts';
import css from './DiffView.module.css';
import { headOf } from './text-blocks.ts';

/** Unchanged lines that are kept on each side of a change. */
const CONTEXT = 3;
/** Characters of one run that are drawn; and the most of a changed pair that is compared word by word. */
const DRAWN = 20_000;
const BY_WORDS = 4_000;

/** What is drawn: lines of one fate, or lines that were changed in some words. */
type Part =
  { kind: DiffRun['kind']; lines: readonly string[] } | { kind: 'words'; words: readonly DiffRun[] };

/** What changed from one text to another: removed and added lines, and within small ones the words. */
export const DiffView = memo(function DiffView({ before, after }: { before: string; after: string }) {
  const parts = partsOf(diff(linesOf(before), linesOf(after)));
  return (
    <div className={css['diff']} data-testid="diff">
      {parts.every(({ kind }) => kind === 'same') && <p className={css['fold']}>The same text.</p>}
      {parts.map((part, at) => {
        if (part.kind === 'words') return <Words key={at} words={part.words} />;
        if (part.kind !== 'same') return <Lines key={at} kind={part.kind} text={part.lines.join('')} />;
        return <Same key={at} lines={part.lines} first={at === 0} last={at === parts.length - 1} />;
      })}
    </div>
  );
});

function partsOf(runs: readonly DiffRun[]): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < runs.length; at += 1) {
    const run = runs[at];
    const next = runs[at + 1];
    if (!run) continue;
    const words = run.kind === 'removed' && next?.kind === 'added' ? wordsOfPair(run, next) : undefined;
    if (words) {
      parts.push({ kind: 'words', words });
      at += 1;
    } else parts.push({ kind: run.kind, lines: run.parts });
  }
  return parts;
}

function wordsOfPair(removed: DiffRun, added: DiffRun): DiffRun[] | undefined {
  const before = removed.parts.join('');
  const after = added.parts.join('');
  return before.length + after.length <= BY_WORDS ? diffWords(before, after) : undefined;
}

function Same({ lines, first, last }: { lines: readonly string[]; first: boolean; last: boolean }) {
  const head = first ? 0 : CONTEXT;
  const tail = last ? 0 : CONTEXT;
  if (lines.length <= head + tail + 1) return <Lines kind="same" text={lines.join('')} />;
  return (
    <>
      {head > 0 && <Lines kind="same" text={lines.slice(0, head).join('')} />}
      <p className={css['fold']}>
        {countOf(lines.length - head - tail, 'unchanged line', 'unchanged lines')}
      </p>
      {tail > 0 && <Lines kind="same" text={lines.slice(-tail).join('')} />}
    </>
  );
}

function Lines({ kind, text }: { kind: DiffRun['kind']; text: string }) {
  const drawn = headOf(text, DRAWN);
  const rest = text.length - drawn.length;
  const content = (
    <>
      {drawn}
      {rest > 0 && (
        <span className={css['fold']}>… {countOf(rest, 'more character', 'more characters')}</span>
      )}
    </>
  );
  if (kind === 'same')
    return (
      <div className={css['lines']} dir="auto">
        {content}
      </div>
    );
  const Tag = kind === 'removed' ? 'del' : 'ins';
  return (
    <div className={`${css['lines']} ${css[kind]}`} dir="auto">
      <Tag>{content}</Tag>
    </div>
  );
}

function Words({ words }: { words: readonly DiffRun[] }) {
  return (
    <div className={css['lines']} dir="auto">
      {words.map((run, at) => {
        const text = run.parts.join('');
        if (run.kind === 'removed') return <del key={at}>{text}</del>;
        if (run.kind === 'added') return <ins key={at}>{text}</ins>;
        return text;
      })}
    </div>
  );
}
