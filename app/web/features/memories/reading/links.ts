import type { MemoryAddress } from '../address.ts';

/** Whether a text links to a memory of its own namespace: `[[key]]`, `[[key|words]]`, `[[key#part]]`, or with the namespace before. */
export function isLinkTo(text: string, { namespace, key }: MemoryAddress): boolean {
  return [...text.matchAll(/\[\[([^\][]+)\]\]/gu)].some(([, inside = '']) => {
    const [named = ''] = inside.split('|');
    return [named, named.split('#')[0] ?? ''].some((one) =>
      [key, `${namespace}/${key}`].includes(one.trim()),
    );
  });
}
