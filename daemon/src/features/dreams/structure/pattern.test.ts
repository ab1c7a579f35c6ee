import { describe, expect, it } from 'vitest';
import { pattern } from './pattern.ts';
import { saying, viewOf } from './testing.ts';

const groupsOf = (...values: readonly string[]) =>
  pattern(viewOf(saying(...values))).map(({ evidence }) => evidence.map(({ key }) => key));
const all = [['n0', 'n1', 'n2']];

describe('what keeps happening', () => {
  it.each([
    [
      'Export hung at 99 %, killed ffmpeg by hand.',
      'Export hung at 99 %, killed ffmpeg by hand, again.',
      'Export hung at 99 %. Killed ffmpeg by hand.',
    ],
    [
      'Label printer in the dispensary jammed.',
      'Label printer in the dispensary jammed, cleaned the roller.',
      'Label printer in the dispensary jammed twice today.',
    ],
    [
      'Caddy could not renew the certificate for choirbook, port 80 was blocked.',
      'Caddy could not renew the certificate for choirbook, firewall again.',
      'Caddy could not renew the certificate for choirbook.',
    ],
  ])('%s', (...values) => {
    const found = pattern(viewOf(saying(...values)));
    expect(found.map(({ evidence }) => evidence.map(({ key }) => key))).toEqual(all);
    expect(values).toContain(found[0]?.title);
    expect(found[0]?.body).toContain('2026-06-01, 2026-06-08, 2026-06-15');
  });

  it('counts days, not notes', () => {
    const value = 'Label printer in the dispensary jammed';
    const at = '2026-05-03';
    const notes = ['', ', roller', ', again'].map((more, index) => ({
      key: `n${index}`,
      value: `${value}${more}.`,
      at,
    }));
    const others = saying('One.', 'Two.', 'Three.', 'Four.').map((note) => ({
      ...note,
      key: `o${note.key}`,
    }));
    expect(pattern(viewOf([...notes, ...others]))).toEqual([]);
  });

  it('is not told by notes that were stored at once, unless they name their days', () => {
    const value = (more: string) => `Label printer in the dispensary jammed${more}.`;
    const at = '2026-11-19';
    const texts = [value(''), value(', roller'), value(', again'), 'The cat is well.'];
    expect(pattern(viewOf(saying(...texts).map((note) => ({ ...note, at }))))).toEqual([]);
    const dated = texts.map((text, index) => ({ key: `log/2026-0${index + 1}-03`, value: text, at }));
    expect(pattern(viewOf(dated))).toHaveLength(1);
  });
});

describe('what does not', () => {
  it.each([
    // It holds.
    [
      'Nordlys wants notes at the end of the chapter.',
      'Nordlys wants its notes at the end of each chapter.',
      'Nordlys wants notes at the end of the chapter, never below.',
    ],
    // A series of readings.
    ['Tin was at 31.40 euro a kilo.', 'Tin was at 32.10 euro a kilo.', 'Tin was at 30.85 euro a kilo.'],
    // Of three people.
    [
      'Ida had a fever all night long.',
      'Then Bela had a fever all night long.',
      'And Tom had a fever all night long.',
    ],
    // What stands around prose.
    ['Tags: jammed printer label', 'Tags: jammed printer label roller', 'Tags: jammed printer label again'],
    [
      '# Jammed label printer again\n\nOne.',
      '# Jammed label printer again\n\nTwo.',
      '# Jammed label printer again\n\nSix.',
    ],
    [
      '```\nlabel printer jammed again\n```',
      '```\nlabel printer jammed again\n```',
      '```\nlabel printer jammed again\n```',
    ],
    ['$$printer jammed again = x$$ a', '$$printer jammed again = x$$ b', '$$printer jammed again = x$$ c'],
    // The last line of each.
    [
      'Bought apples.\n\nThis was written by the agent again today.',
      'Cut the hedge.\n\nThis was written by the agent again today.',
      'Rang the bank.\n\nThis was written by the agent again today.',
    ],
  ])('%s', (...values) => {
    expect(groupsOf(...values)).toEqual([]);
  });

  it('is told twice by one note', () => {
    const value = 'Label printer in the dispensary jammed.';
    expect(groupsOf(`${value} ${value}`, `${value} Roller.`)).toEqual([]);
  });
});
