/** Whether a text has more line feeds than so many; looks no further than it has to. */
export function hasMoreLines(text: string, most: number): boolean {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    if ((lines += 1) > most) return true;
  return false;
}
