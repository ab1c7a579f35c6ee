import type { LinkOut } from '@reverie/shared/contract/memories/links';
import { plainWords } from '../../../ui/reading/plain-line.ts';
import type { Leading } from '../../../ui/reading/note-target.ts';

/** Whether a text may have links to other memories. */
export function mayLink(value: string): boolean {
  return /\[\[|\]\(|\]:|\(\(/u.test(value);
}

/** Says where the links of a note lead by what stands in them. One to what is not there leads to the key under which it would be written. */
export function leadingIn(out: readonly LinkOut[], key: string): (written: string) => Leading | undefined {
  const ending = /\.md$/iu.exec(key)?.[0] ?? '';
  const leading = new Map(out.map((one) => [one.link, one]));
  return (written) => {
    const found = leading.get(written.replace(/\s+(?=[#^])|(?<=[#^][^#^]*)\s+$/gu, ''));
    if (!found) return undefined;
    const name = found.to.replace(/^(?:\.{0,2}\/)+/u, '');
    const target = found.found || name.toLowerCase().endsWith('.md') ? name : `${name}${ending}`;
    return {
      target: { key: found.found ? found.to : target },
      isFound: found.found,
      says: found.block && plainWords(found.block),
    };
  };
}
