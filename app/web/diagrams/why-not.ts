/** Why a diagram was not drawn, as the end of a sentence. */
export function whyNot(error: unknown, mostEdges: number): string {
  const said = error instanceof Error ? error.message : String(error);
  if (said.startsWith('Edge limit exceeded')) return `it has more than ${mostEdges} connections`;
  const line = /\bon line (\d+)/u.exec(said)?.[1] ?? /\bline:? (\d+)/u.exec(said)?.[1];
  if (line !== undefined) return `its line ${line} cannot be read`;
  return 'it cannot be read as a diagram';
}
