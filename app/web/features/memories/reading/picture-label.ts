const SIZE = /^(.*?)(?:^|\|)\s*(\d{1,4})(?:x(\d{1,4}))?\s*$/su;

/** What a picture is called and how wide it is to be, by what stands behind the bar of its link: `300`, `300x200`, `words|300`. */
export function labelOf(
  label: string,
  name: string,
): { alt: string; width: number | undefined; height: number | undefined } {
  const [, words, width, height] = SIZE.exec(label) ?? [];
  const alt = (width === undefined ? label : (words ?? '')).trim();
  return {
    alt: alt === '' ? name : alt,
    width: width === undefined ? undefined : Number(width),
    height: height === undefined ? undefined : Number(height),
  };
}
