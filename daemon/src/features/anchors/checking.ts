import { type Anchor, Anchors, type AnchorNow } from '@reverie/shared/contract/anchors';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { codeFile } from './code-files.ts';
import { definitionOf } from './definition.ts';
import { type CodeText, codeText, findLines, hashOf, readRange, writeRange } from './lines.ts';
import type { RepositoryHistory } from './repository.ts';

/** What a look at one anchor found: the same as long as the file is. */
type Found = Pick<AnchorNow, 'state' | 'lines_now'>;

/** Results of earlier looks that are kept. */
const KEPT = 5_000;

/** Looks at the code that memories are anchored to. */
export interface AnchorCheck {
  /** What became of an anchor in a repository. `waits` says to whom a commit may be named that git has to be asked for. */
  (root: string, anchor: Anchor, waits: boolean): Promise<AnchorNow>;
}

/** The anchors of a memory, as its metadata has them; none where they are of another shape, as an import may bring them. */
export function anchorsIn({ anchors }: JsonObject): readonly Anchor[] {
  return anchors === undefined ? [] : (Anchors.safeParse(anchors).data ?? []);
}

/** Makes the check of anchors, which remembers what it found in files that are as they were. */
export function createAnchorCheck(history: Pick<RepositoryHistory, 'renames' | 'lastChange'>): AnchorCheck {
  const seen = new Map<string, Found>();
  const lookAt = async (root: string, path: string, anchor: Anchor): Promise<Found> => {
    const file = await codeFile(root, path);
    if (file === 'gone') return { state: 'gone' };
    if (file === 'unfit') return { state: 'unchecked' };
    if (anchor.hash === undefined) return { state: 'same' };
    const name = file.version && JSON.stringify([root, path, file.version, anchor.hash, anchor.lines]);
    const before = name === undefined ? undefined : seen.get(name);
    if (before) return before;
    const content = await file.read();
    if (!content) return { state: 'unchecked' };
    const found: Found =
      content.blob === anchor.blob ? { state: 'same' } : compare(codeText(content.text), anchor);
    if (name !== undefined) {
      seen.set(name, found);
      const [oldest] = seen.keys();
      if (seen.size > KEPT && oldest !== undefined) seen.delete(oldest);
    }
    return found;
  };
  return async (root, anchor, waits) => {
    const { path, lines, symbol, commit } = anchor;
    const told = { path, ...(lines !== undefined && { lines }), ...(symbol !== undefined && { symbol }) };
    let found = await lookAt(root, path, anchor);
    let path_now: string | undefined;
    if (found.state === 'gone') {
      path_now = (await history.renames(root, commit ?? 'HEAD')).get(path);
      if (path_now !== undefined) found = await lookAt(root, path_now, anchor);
    }
    if (found.state === 'gone') return { ...told, state: 'gone' };
    if (path_now !== undefined && found.state === 'same') found = { ...found, state: 'moved' };
    const since = found.state === 'changed' && waits ? commit : undefined;
    const change =
      since === undefined ? undefined : await history.lastChange(root, { path: path_now ?? path, since });
    return {
      ...told,
      ...found,
      ...(path_now !== undefined && { path_now }),
      ...(change !== undefined && { commit: change }),
    };
  };
}

/** What became of lines, or of a whole file, whose hash an anchor has. */
function compare(code: CodeText, { hash, lines, symbol }: Anchor): Found {
  if (hash === undefined) return { state: 'same' };
  if (lines === undefined)
    return { state: hashOf(code, { from: 1, to: code.lines.length }) === hash ? 'same' : 'changed' };
  const [place] = findLines(code, hash, readRange(lines).from);
  if (place) {
    const lines_now = writeRange(place);
    return lines_now === lines ? { state: 'same' } : { state: 'moved', lines_now };
  }
  const defined = symbol === undefined ? undefined : definitionOf(code.lines, symbol);
  return { state: 'changed', ...(defined && { lines_now: writeRange(defined) }) };
}
