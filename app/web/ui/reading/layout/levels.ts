/**
 * Gives headings levels without gaps, in their order: a note that begins at `###` begins at 1, and `####` after `#` is 2. Screen readers
 * move through a page by these levels.
 */
export function levelsOf(): (depth: number) => number {
  const open: number[] = [];
  return (depth) => {
    while (open.length > 0 && (open.at(-1) ?? 0) >= depth) open.pop();
    open.push(depth);
    return open.length;
  };
}
