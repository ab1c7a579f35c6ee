import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namespaceColours } from '@reverie/shared/contract/memories/memories';
import { expect, test } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'NamespaceDot.module.css'), 'utf8');
const base = readFileSync(join(import.meta.dirname, '../../ui/base.css'), 'utf8');

/** Light and dark of what stands in `light-dark(…)` behind a name. */
function pairOf(text: string, name: string): readonly [string, string] {
  const after = text.slice(text.indexOf(name));
  const found = /light-dark\((#\w{6}), (#\w{6})\)/u.exec(after);
  return [found?.[1] ?? '', found?.[2] ?? ''];
}

/** Relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}

test.each(namespaceColours)('%s is seen on every surface, light and dark', (colour) => {
  const own = pairOf(css, `[data-colour='${colour}']`);
  for (const surface of ['--paper:', '--room:', '--sheet:', '--hover:']) {
    const behind = pairOf(base, surface);
    for (const scheme of [0, 1] as const)
      expect(contrast(own[scheme], behind[scheme]), `${surface} ${scheme}`).toBeGreaterThanOrEqual(3);
  }
});
