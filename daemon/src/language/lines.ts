/** The first lines of a text, so many of them at most, without the line feed behind the last. */
export function firstLines(text: string, most: number): string {
  let end = -1;
  for (let lines = 0; lines < most; lines += 1) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return text;
  }
  return text.slice(0, end);
}

/** Whether a text has more lines than so many; looks no further than it has to. */
export function hasMoreLines(text: string, most: number): boolean {
  return firstLines(text, most).length < text.length;
}
