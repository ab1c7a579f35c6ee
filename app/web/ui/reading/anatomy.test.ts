import { expect, test } from 'vitest';
import { anatomyOf, type KnownMemory } from './anatomy.ts';

/** Title and text, the marked words in brackets. */
function seen(memory: Omit<KnownMemory, 'key'>): (string | undefined)[] {
  const { title, text } = anatomyOf({ key: 'the/key', ...memory });
  return [title, text].map(
    (part) =>
      part &&
      part.marks.reduceRight(
        (words, [from, to]) => `${words.slice(0, from)}[${words.slice(from, to)}]${words.slice(to)}`,
        part.text,
      ),
  );
}

/** A passage of a value, with a word of it marked. */
function passageOf(value: string, text: string, word: string) {
  const [start, at] = [value.indexOf(text), value.indexOf(word)];
  return { text, start, marks: [[at, at + word.length] as const] };
}

test.each([
  [
    'We deploy on Thursdays. Never on Fridays.',
    'We deploy on Thursdays.',
    undefined,
    'We deploy on Thursdays. Never on Fridays.',
  ],
  ['# Deploy\n\nOn **Thursdays**.', 'Deploy', 'Deploy', 'On Thursdays.'],
  ['Canary held\n\np95 rose.', 'Canary held', 'Canary held', 'p95 rose.'],
  ['On Thursdays.', 'Deploy days', 'Deploy days', 'On Thursdays.'],
  ['# Only a title', 'Only a title', 'Only a title', ''],
  ['- milk\n- eggs', 'milk', undefined, 'milk eggs'],
  ['{"api": {"burst": 2}, "mb": 25}', '{"api": {"burst": 2}…', undefined, 'api.burst 2, mb 25'],
  ['---', '', undefined, 'the/key'],
])('%j called %j shows the title %j and says %j', (value, title, ...shown) => {
  expect(seen({ value, title })).toEqual(shown);
});

test('a beginning says that it goes on', () => {
  expect(seen({ value: 'Words that go on and', title: 'Words that go…', truncated: true })).toEqual([
    undefined,
    'Words that go on and…',
  ]);
});

test('of what was found the words that fit are said, and the title only above them', () => {
  const value = '# Deploy days\n\nWe deploy on *Thursdays*. Never on Fridays.';
  const found = { value, title: 'Deploy days' };
  expect(seen({ ...found, passage: passageOf(value, 'We deploy on *Thursdays*.', 'Thursdays') })).toEqual([
    'Deploy days',
    'We deploy on [Thursdays].',
  ]);
  expect(seen({ ...found, passage: passageOf(value, value, 'Deploy') })).toEqual([
    '[Deploy] days',
    'We deploy on Thursdays. Never on Fridays.',
  ]);
});

test('a sentence that was found is said whole', () => {
  const value = 'The passport is in the drawer. It expires in May.';
  const title = 'The passport is in the drawer.';
  expect(seen({ value, title, passage: passageOf(value, 'It expires in May.', 'expires') })).toEqual([
    undefined,
    'The passport is in the drawer. It [expires] in May.',
  ]);
});

test('without its value a memory is shown as its passage tells', () => {
  const value = 'The passport is in the drawer. It expires in May.';
  const title = 'The passport is in the drawer.';
  expect(seen({ title, passage: passageOf(value, value, 'expires') })).toEqual([
    undefined,
    'The passport is in the drawer. It [expires] in May.',
  ]);
  expect(seen({ title, passage: passageOf(value, 'It expires in May.', 'expires') })).toEqual([
    title,
    'It [expires] in May.',
  ]);
});
