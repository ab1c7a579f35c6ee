import type { AnchorNow } from './anchor-now.ts';

/** Says in a few words what became of the code that a memory is anchored to. */
export function anchorWords({ path, lines, symbol, state, path_now, lines_now, commit }: AnchorNow): string {
  const place = `${path}${lines === undefined ? '' : `:${lines}`}${symbol === undefined ? '' : ` (${symbol})`}`;
  const lines_there =
    lines_now === undefined ? '' : path_now === undefined ? `lines ${lines_now}` : `:${lines_now}`;
  const now = `${path_now ?? ''}${lines_there}`;
  switch (state) {
    case 'same':
      return `${place} is as it was`;
    case 'moved':
      return `${place} is at ${now} now`;
    case 'changed':
      return `the code has changed since: ${place}${now === '' ? '' : `, see ${now}`}${commit === undefined ? '' : `, last in ${commit}`}`;
    case 'gone':
      return `the file is gone since, or renamed: ${place}`;
    case 'unchecked':
      return `not checked here: ${place}`;
  }
}

/** Says of the anchors of a memory what a reader has to know; undefined where all is as it was. */
export function anchorsWarning(anchors: readonly AnchorNow[] = []): string | undefined {
  const told = anchors.filter(({ state }) => state !== 'same').map(anchorWords);
  return told.length === 0 ? undefined : told.join('; ');
}
