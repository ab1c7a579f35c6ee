import { memo } from 'react';
import css from './DiffView.module.css';
import { headOf } from './text-blocks.ts';

/** Characters of a patch that are drawn. */
const DRAWN = 60_000;

type Kind = 'same' | 'removed' | 'added' | 'head';

/** A patch in runs of neighbouring lines of one kind; joining their texts gives the patch again. */
export function partsOfPatch(patch: string): { kind: Kind; text: string }[] {
  const parts: { kind: Kind; text: string }[] = [];
  for (const line of patch.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const kind = kindOf(line);
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += line;
    else parts.push({ kind, text: line });
  }
  return parts;
}

function kindOf(line: string): Kind {
  if (/^(?:diff |index |@@|\*\*\* |--- |\+\+\+ |new file|deleted file|similarity|rename )/.test(line))
    return 'head';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}

/** A patch as a program wrote it: what it takes away and what it adds, in colours. */
export const PatchView = memo(function PatchView({ patch }: { patch: string }) {
  const drawn = headOf(patch, DRAWN);
  return (
    <div className={`${css['diff']} ${css['patch']}`} tabIndex={0} role="group" aria-label="Changes">
      {partsOfPatch(drawn).map(({ kind, text }, at) => {
        if (kind === 'head')
          return (
            <div key={at} className={css['fold']}>
              {text}
            </div>
          );
        if (kind === 'same')
          return (
            <div key={at} className={css['lines']}>
              {text}
            </div>
          );
        const Tag = kind === 'removed' ? 'del' : 'ins';
        return (
          <div key={at} className={`${css['lines']} ${css[kind]}`}>
            <Tag>{text}</Tag>
          </div>
        );
      })}
      {drawn.length < patch.length && <p className={css['fold']}>… and more</p>}
    </div>
  );
});
