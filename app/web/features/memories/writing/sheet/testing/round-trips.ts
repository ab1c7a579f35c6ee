const table = '| a | b |\n| :-- | --: |\n| 1 | `x|y` |\n';
const list = '- one\n  - two\n\t- three with a tab\n\n    continued\n10. ten\n- [ ] open\n- [x] done\n';
const fence = '```ts\nconst a = 1;\n\n```\n~~~\nraw\n~~~~\n    indented code\n';
const front = '---\ntitle: Rotate\ntags: [a, b]\n---\n';
const rich = `${front}# Rotate\n\nSome **bold**, *slanted*, ==marked== and [[x|y]] words.\n\n${list}\n${fence}\n${table}\n> quoted\n> more\n\n[^1]: A footnote.`;

const texts = [
  'a',
  'one line, no end',
  'one line\n',
  '\n',
  '\n\n\n',
  ' ',
  'trailing spaces  \nand a hard break\\\nhere   \n',
  '\tbegins with a tab\n\t\tand two\n',
  'tabs\tin\tbetween\t',
  '\uFEFFwith a byte order mark\n',
  `\uFEFF${front}text\n`,
  front,
  `${front}\n# After a gap\n`,
  '---\n\nA ruler above, and one below\n\n---\n',
  list,
  fence,
  table,
  rich,
  '==m== and ====n==== and a == b\n',
  '[[x|y]] [[]] [[ a ]] ![[picture.png]] [[a#b^c]]\n',
  '# A heading #\n\nSetext\n===\n\nSetext two\n---\n',
  '#no heading\n####### nor this\n',
  'é e\u0301 ﬁ Å \u212B are not the same\n',
  'שלום עולם\nand English\u200f\n',
  '日本語の文章。\n全角　スペース\n',
  '👩‍👩‍👧‍👦 🏳️‍🌈 🧠 and \u{1F9E0}\n',
  'zero\u200bwidth\u200c\u200d\u2060 and \u00ad soft\n',
  'no\u00a0break\u202fspaces\u2003wide\n',
  'line\u2028separator and paragraph\u2029separator\n',
  'vertical\u000btab and form\u000cfeed and next\u0085line\n',
  'bell\u0007 escape\u001b[31m delete\u007f\n',
  '\u202eturned round\u202c and \u2066isolated\u2069\n',
  'private \uE000 and \uFFFD and \uFFFE and \u{10FFFF}\n',
  'combining Z\u0301\u0489\u0489\u0489\n',
  'a very long word '.padEnd(4_000, 'x'),
  `${'word '.repeat(6_000)}\n`,
  `${rich}\n\n`.repeat(180),
  '{"a": [1, 2],\n "b": "c"}\n',
  'const a = {\n  b: 1,\n};\nreturn a;\n',
  '2026-05-01T10:00:00 INFO started\n2026-05-01T10:00:01 WARN slow\n',
  '<script>alert(1)</script>\n<b onclick="x">b</b>\n',
  '&amp; &lt; &#65; \\* \\[ \\`\n',
  '* a\n+ b\n- c\n1) d\n2. e\n',
  '> > nested\n>> quote\n>no space\n',
  '$a$ and $$\nb\n$$\n',
];

/** Texts as notes have them, and as other programs leave them behind: with every kind of line ending, and without a last one. */
export const roundTrips: readonly string[] = [
  ...texts,
  ...[rich, list, table, front, 'one\ntwo\nthree', 'one\n\n', '\n'].map((text) =>
    text.replaceAll('\n', '\r\n'),
  ),
  ...[rich, 'one\ntwo', '\n\n'].map((text) => text.replaceAll('\n', '\r')),
  'unix\nwindows\r\nunix\nold\runix\n',
  'windows\r\nunix\nwindows\r\nold\rwindows\r\n\r\n\n',
  '\r\n\n\r\r\n',
  `\uFEFF${rich.replaceAll('\n', '\r\n')}\r\nand one unix line\n`,
  'ends with a lone\r',
];
