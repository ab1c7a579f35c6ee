import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { expectLinear } from '@reverie/shared/testing/linear';
import { claudeCode } from './agents/claude-code/claude-code.ts';
import { codex } from './agents/codex/codex.ts';
import type { SessionFormat } from './format.ts';
import { sessionFormats } from './formats.ts';
import { assistantLine, CLAUDE_FILE, claudeTime, userLine } from './testing/claude-lines.ts';
import { CODEX_FILE, legacyAnswer, legacyPrompt, metaLine } from './testing/codex-lines.ts';
import { collect } from './testing/collector.ts';

const said = (n: number, text: string) =>
  JSON.stringify(userLine(`u${n}`, text, { timestamp: claudeTime(n) }));
const [FERN, CUT, MOSS, LICHEN] = [
  said(1, 'about fern'),
  JSON.stringify(
    assistantLine('a2', {
      timestamp: claudeTime(2),
      content: [{ type: 'tool_use', id: 't', name: 'Read', input: { list: [{ a: 1 }, 'é 💡'] } }],
      toolUseResult: { lines: [{ n: 1 }] },
    }),
  ),
  said(3, 'about moss'),
  said(4, 'about lichen'),
];

/** Reads lines of Claude Code: what was asked in them, in order, and how many could not be read. */
function read(...lines: string[]): [string[], number] {
  const texts: string[] = [];
  const collector = collect(claudeCode, CLAUDE_FILE, { lines });
  for (const { kind, text } of collector.session().entries) if (kind === 'prompt') texts.push(text);
  return [texts, collector.malformed];
}
/** The text of bytes, as a log is decoded. */
const decoded = (...bytes: (string | Buffer)[]) =>
  Buffer.concat(bytes.map((piece) => Buffer.from(piece))).toString('utf8');

describe('a damaged line', () => {
  test('a whole record behind a cut one is read, wherever that was cut', () => {
    for (let at = 1; at < CUT.length; at++)
      expect([at, read(FERN, CUT.slice(0, at) + MOSS, LICHEN)]).toEqual([
        at,
        [['about fern', 'about moss', 'about lichen'], 1],
      ]);
  });

  test('in the bytes of a letter, too', () => {
    const bytes = Buffer.from(CUT);
    const inLetter = bytes.indexOf('💡') + 2;
    expect(read(decoded(bytes.subarray(0, inLetter), MOSS))).toEqual([['about moss'], 1]);
  });

  const all = ['about fern', 'about moss', 'about lichen'];
  const nuls = '\0'.repeat(9_000);
  it.each<[string, string, string[], number]>([
    ['two records', FERN + MOSS, ['about fern', 'about moss'], 0],
    ['three, with white space between', `${FERN} \t${MOSS}\r${LICHEN}`, all, 0],
    ['NULs before its end', FERN + nuls, ['about fern'], 0],
    ['NULs before its beginning', nuls + FERN, ['about fern'], 0],
    ['NULs between two records', FERN + nuls + MOSS, ['about fern', 'about moss'], 0],
    ['other control characters at its ends', `\u001b\u0007${FERN}\u001a\u0085\b`, ['about fern'], 0],
    ['a byte order mark', `\uFEFF${FERN}`, ['about fern'], 0],
    ['a byte order mark before each of two', `\uFEFF${FERN}\uFEFF${MOSS}`, ['about fern', 'about moss'], 0],
    ['a tab within a text', FERN.replace('about fern', 'about\tfern'), ['about fern'], 0],
    [
      'NULs within a text, of which nobody knows what they were',
      FERN.replace(' fern', '\0fern'),
      ['about fern'],
      1,
    ],
    ['a torn letter before a record', decoded(Buffer.from([0xe2, 0x82]), FERN), ['about fern'], 1],
    [
      'a whole, a cut and a whole record',
      FERN + CUT.slice(0, 200) + LICHEN,
      ['about fern', 'about lichen'],
      1,
    ],
    ['two cut ones and a whole', CUT.slice(0, 90) + CUT.slice(0, 300) + MOSS, ['about moss'], 1],
    [
      'a cut one, NULs and two whole',
      CUT.slice(0, 90) + nuls + MOSS + LICHEN,
      ['about moss', 'about lichen'],
      1,
    ],
    ['a whole and a cut one', FERN + CUT.slice(0, 300), ['about fern'], 1],
    ['a cut one alone', CUT.slice(0, 300), [], 1],
    ['the end of a record, and a whole one', CUT.slice(60) + MOSS, ['about moss'], 1],
    ['words, and a record', `killed: out of memory${MOSS}`, ['about moss'], 1],
    ['NULs alone', nuls, [], 1],
    ['white space alone', ' \t ', [], 0],
    ['a list of records, which no log is', `[${FERN},${MOSS}]`, [], 1],
  ])('with %s', (_, line, ...[texts, unread]) => {
    expect(read(line)).toEqual([texts, unread]);
  });
});

describe('no record is made of the inside of another', () => {
  /** What a tool answered: lines of a log, as text, and as JSON. */
  const quoting = (quoted: object) =>
    JSON.stringify(
      userLine(
        'r5',
        [{ type: 'tool_result', tool_use_id: 't', content: `${JSON.stringify(quoted)}\n${MOSS}` }],
        { timestamp: claudeTime(5), toolUseResult: { stdout: MOSS, records: [quoted, quoted] } },
      ),
    );
  const older = userLine('u0', 'quoted', { timestamp: claudeTime(0) });

  test('where that is whole', () => {
    expect(read(LICHEN, quoting(older))).toEqual([['about lichen'], 0]);
    expect(read(LICHEN, quoting(older) + said(6, 'next'))).toEqual([['about lichen', 'next'], 0]);
  });

  test('where that is cut, anywhere, alone or before a whole one', () => {
    const line = quoting(older);
    for (let at = 1; at < line.length; at += 3) {
      expect([at, read(LICHEN, line.slice(0, at))]).toEqual([at, [['about lichen'], 1]]);
      expect([at, read(LICHEN, line.slice(0, at) + said(6, 'next'))]).toEqual([
        at,
        [['about lichen', 'next'], 1],
      ]);
    }
  });

  test('nor of what lacks a field of its format', () => {
    const { sessionId: _, ...rest } = userLine('u9', 'no session', { timestamp: claudeTime(9) });
    expect(read(CUT.slice(0, 200) + JSON.stringify(rest))).toEqual([[], 1]);
    expect(read(`${CUT.slice(0, 200)}{"type":"text","text":"a block"}`)).toEqual([[], 1]);
  });
});

/** Two records of each format, and texts of the second. */
const others: [SessionFormat, string, object, object, string][] = [
  [
    codex,
    CODEX_FILE,
    {
      timestamp: '2026-08-15T14:00:01.000Z',
      type: 'response_item',
      payload: { type: 'message', content: [] },
    },
    legacyPrompt('after kill rowan')[1] ?? {},
    'after kill rowan',
  ],
  ...sessionFormats.flatMap((format): [SessionFormat, string, object, object, string][] => {
    const time = (n: number) => ({ timestamp: claudeTime(n) });
    if (format.agent === 'copilot') {
      const event = (n: number, content: string) =>
        ({ id: `e${n}`, ...time(n), type: 'user.message', data: { content } }) as const;
      return [[format, 'session-state/5f1c/events.jsonl', event(1, 'cut'), event(2, 'rowan'), 'rowan']];
    }
    if (format.agent === 'cursor') {
      const message = (text: string) => ({ role: 'user', message: { content: [{ type: 'text', text }] } });
      return [[format, 'projects/p/agent-transcripts/7d3e.jsonl', message('cut'), message('rowan'), 'rowan']];
    }
    if (format.agent !== 'antigravity') return [];
    const step = (n: number, content: string) => ({
      step_index: n,
      source: 'USER_EXPLICIT',
      type: 'USER_INPUT',
      created_at: claudeTime(n),
      content,
    });
    const file = 'antigravity/brain/1/.system_generated/logs/transcript.jsonl';
    return [[format, file, step(1, 'cut'), step(2, 'rowan'), 'rowan']];
  }),
];

test.each(others)(
  '$name: a whole record behind a cut one, and two in a line',
  (format, file, ...[first, second, text]) => {
    const [cut, whole] = [JSON.stringify(first), JSON.stringify(second)];
    for (let at = 1; at < cut.length; at++) {
      const collector = collect(format, file, { lines: [cut.slice(0, at) + whole] });
      expect([at, collector.session().entries.at(-1)?.text, collector.malformed]).toEqual([at, text, 1]);
    }
    const both = collect(format, file, { lines: [`${whole}${cut}\0\0`] });
    expect([both.session().entries.some((entry) => entry.text === text), both.malformed]).toEqual([true, 0]);
  },
);

test('N08: in a rollout of Codex, what was asked after a kill stands before its answer', () => {
  const line = (record: object) => JSON.stringify(record);
  const [asked = {}, ...rest] = legacyPrompt('question after kill rowan').toReversed();
  const cut = line({
    timestamp: '2026-08-15T14:00:00.000Z',
    type: 'response_item',
    payload: { type: 'message', role: 'assistant' },
  });
  const lines = [
    line(metaLine()),
    cut.slice(0, 80) + line(asked),
    ...[...rest, ...legacyAnswer('answer')].map(line),
  ];
  const collector = collect(codex, CODEX_FILE, { lines });
  expect(collector.session().entries.map(({ text }) => text)).toEqual([
    'question after kill rowan',
    'answer',
  ]);
  expect(collector.malformed).toBe(1);
});

test.each([
  ['objects that begin and never end', '{"'],
  ['objects within each other', '{"a":'],
  ['texts', '"'],
  ['escapes', '{"\\'],
  ['ends of objects', '}'],
  ['empty objects', '{}'],
  ['NULs', '\0'],
  ['records that are none', '{"type":[{"type":"user","sessionId":"s"},'],
])('a hostile line of %s takes time by its length', async (_, piece) => {
  await expectLinear((bytes) => {
    const line = Buffer.alloc(bytes, piece).toString();
    read(line, line + MOSS);
  }, 2_000_000);
});

/** Logs that real agents wrote, where they are at hand. */
const SAMPLES =
  ['../../../..', '../../../../..']
    .map((above) => path.resolve(import.meta.dirname, above, 'shared/samples/agent-logs-2026-11'))
    .find((folder) => fs.existsSync(folder)) ?? '';
const ROOTS: Readonly<Record<string, string>> = {
  'claude-code': '',
  codex: 'sessions/',
  copilot: 'session-state/',
};

test.skipIf(SAMPLES === '')(
  'every line that real agents wrote is read, and every kind of record is known',
  () => {
    for (const folder of fs.readdirSync(SAMPLES)) {
      const format = sessionFormats.find(({ agent }) => folder.startsWith(agent));
      const root = format && ROOTS[format.agent];
      if (!format || root === undefined) continue;
      const files = fs.readdirSync(path.join(SAMPLES, folder), { recursive: true, encoding: 'utf8' });
      for (const file of files.filter((name) => name.endsWith('.jsonl'))) {
        const lines = fs.readFileSync(path.join(SAMPLES, folder, file), 'utf8').split('\n');
        const collector = collect(format, root + file.split(path.sep).join('/'), { lines });
        const unknown = [...collector.types].filter(([, { known }]) => !known).map(([type]) => type);
        expect([file, collector.malformed, unknown]).toEqual([file, 0, []]);
        expect(collector.sessions().size).toBeGreaterThan(0);
      }
    }
  },
);

test.skipIf(SAMPLES === '')(
  'Codex: the same work is the same entries, called one by one or by scripts',
  () => {
    const folder = 'codex-0.171.0/2026/11/28';
    const [called, scripted] = [/^rollout-2026-11-28T07-45-14/, /^rollout-2026-11-28T07-46-21/]
      .map((name) => {
        const file = fs.readdirSync(path.join(SAMPLES, folder)).find((one) => name.test(one)) ?? '';
        const lines = fs.readFileSync(path.join(SAMPLES, folder, file), 'utf8').split('\n');
        return collect(codex, `sessions/2026/11/28/${file}`, { lines }).session().entries;
      })
      .map((entries) => entries.map(({ kind, tool }) => [kind, tool?.failed]));
    expect(called).toHaveLength(17);
    expect(scripted).toEqual(called);
  },
);
