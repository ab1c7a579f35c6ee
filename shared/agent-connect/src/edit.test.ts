import { parse } from '@decimalturn/toml-patch';
import { parse as parseJson, type ParseError } from 'jsonc-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml, stringify as stringifyYaml } from 'yaml';
import { runs } from '@reverie/shared/testing/depth';
import { CannotEdit } from './cannot-edit.ts';
import type { ConfigEntry } from './config-entry.ts';
import { has, put, take } from './edit.ts';

const server: ConfigEntry = {
  kind: 'value',
  path: ['mcpServers', 'reverie'],
  value: { command: '/usr/bin/node', args: ['/opt/reverie.cjs', 'mcp'] },
};
const hook: ConfigEntry = {
  kind: 'item',
  path: ['hooks', 'SessionStart'],
  value: { hooks: [{ type: 'command', command: 'reverie hook start', timeout: 5 }] },
};
const table: ConfigEntry = {
  kind: 'table',
  path: ['mcp_servers', 'reverie'],
  text: '[mcp_servers.reverie]\ncommand = "reverie"\nargs = ["mcp"]',
};

const JSONS: Readonly<Record<string, string>> = {
  empty: '',
  'an empty object': '{}',
  'an empty object and a line': '{}\n',
  'other servers, comments, four blanks':
    '{\n    // mine\n    "mcpServers": {\n        "github": { "command": "gh", "args": [] }, // keep\n    },\n    "theme": "dark"\n}\n',
  tabs: '{\n\t"mcpServers": {\n\t\t"a": {"command":"a"}\n\t}\n}\n',
  'CRLF, no final line': '{\r\n  "x": [1, 2],\r\n  "mcpServers": {}\r\n}',
  'a byte order mark': '\ufeff{\n  "x": 1\n}\n',
  'on one line':
    '{"numStartups":412,"mcpServers":{"a":{"command":"a"}},"projects":{"/home/x":{"allowedTools":[]}}}',
  'hooks of others':
    '{\n  "hooks": {\n    "SessionStart": [\n      { "hooks": [{ "type": "command", "command": "echo hi" }] }\n    ]\n  }\n}\n',
};

function valueOf(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parseJson(text.replace(/^\ufeff/, ''), errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
  expect(errors).toEqual([]);
  return value;
}

describe('JSON with comments', () => {
  test.each(Object.entries(JSONS))('%s: what was there stays, and only ours goes again', (_, before) => {
    for (const entry of [server, hook]) {
      const { text, ...trace } = put(before, entry);
      expect(has(before, entry)).toBe(false);
      expect(has(text, entry)).toBe(true);
      expect(put(text, entry).text).toBe(text);
      for (const comment of before.match(/\/\/.*/g) ?? []) expect(text).toContain(comment);
      expect(text.startsWith('\ufeff')).toBe(before.startsWith('\ufeff'));
      if (before.includes('\r\n')) expect(text.replaceAll('\r\n', '')).not.toContain('\n');
      expect(valueOf(take(text, entry, trace))).toEqual(before === '' ? {} : valueOf(before));
    }
  });

  test('what somebody added beside it stays', () => {
    const { text, ...trace } = put('{}', hook);
    const edited = text.replace('"SessionStart": [', '"Stop": [], "SessionStart": [{"mine": 1}, ');
    expect(valueOf(take(edited, hook, trace))).toEqual({ hooks: { Stop: [], SessionStart: [{ mine: 1 }] } });
  });

  test('ours is known by its command: another limit, and a neighbour in its group, are somebody’s own', () => {
    const { text, ...trace } = put('{}', hook);
    const slower = text.replace('"timeout": 5', '"timeout": 60');
    expect(put(slower, hook).text).toBe(slower);
    expect(valueOf(take(slower, hook, trace))).toEqual({});
    const shared = text.replace('"hooks": [', '"hooks": [{ "command": "mine" },');
    expect(valueOf(take(shared, hook, trace))).toMatchObject({
      hooks: { SessionStart: [{ hooks: [{ command: 'mine' }] }] },
    });
    expect(take(shared, hook, trace)).not.toContain('reverie');
    const added = put('{}', server).text.replace('"command"', '"env": {}, "command"');
    expect(put(added, server).text).toBe(added);
  });

  test.each([
    ['{"mcpServers": {"reverie": {"command": "other"}}}', 'has mcpServers.reverie already'],
    ['{"mcpServers": []}', 'mcpServers is no object'],
    ['[]', 'no JSON object'],
    ['{\n  "a": 1,\n  "b" 2\n}', 'broken in line 3, column 7: ColonExpected'],
  ])('%s is refused with the reason', (text, why) => {
    expect(() => put(text, server)).toThrow(CannotEdit);
    expect(() => put(text, server)).toThrow(why);
  });

  test('a file of its own is written where there is none, and one that is not ours is left as it is', () => {
    const whole: ConfigEntry = { kind: 'whole', text: 'export const ours = 1;\n' };
    expect(put('', whole)).toEqual({ text: whole.text, made: [] });
    expect(put(whole.text, whole)).toEqual({ text: whole.text, made: [] });
    for (const theirs of ['export const theirs = 1;\n', ' ', `${whole.text}// mine\n`]) {
      expect(() => put(theirs, whole)).toThrow(CannotEdit);
      expect(take(theirs, whole, { made: [] })).toBe(theirs);
    }
    expect(take(whole.text, whole, { made: [] })).toBe('');
  });

  test('of any configuration nothing but ours changes', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/).filter((one) => one !== 'reverie' && one !== 'hooks');
    const config = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 });
    fc.assert(
      fc.property(config, fc.constantFrom(0, 1, 2, 4, '\t'), fc.boolean(), (value, indent, isCrlf) => {
        const plain = JSON.stringify(value, undefined, indent);
        const before = isCrlf ? plain.replaceAll('\n', '\r\n') : plain;
        for (const entry of [server, hook]) {
          const { text, ...trace } = put(before, entry);
          expect(valueOf(take(text, entry, trace))).toEqual(valueOf(before));
        }
      }),
      { numRuns: runs(50, 200) },
    );
  });
});

describe('what the person wrote around ours', () => {
  const statusLine: ConfigEntry = {
    kind: 'value',
    path: ['statusLine'],
    value: { type: 'command', command: 'reverie statusline' },
  };

  test('a value that they put in place of ours is not taken out, nor a table', () => {
    const { text, ...trace } = put('{}', statusLine);
    const theirs = text.replace('reverie statusline', '~/mine.sh');
    expect(take(theirs, statusLine, trace)).toBe(theirs);
    const ours = put('', table).text;
    const other = ours.replace('command = "reverie"', 'command = "mine"');
    expect(take(other, table, { made: [] })).toBe(other);
  });

  test.each([
    ['{"a":1}', '{"a":1, "statusLine": {"type":"command","command":"reverie statusline"}}'],
    [
      '{\n  "a": 1 // keep\n}\n',
      '{\n  "a": 1, // keep\n  "statusLine": {\n    "type": "command",\n    "command": "reverie statusline"\n  }\n}\n',
    ],
    [
      '{\n\t"a" : 1, // keep\n}\n',
      '{\n\t"a" : 1, // keep\n\t"statusLine": {\n\t\t"type": "command",\n\t\t"command": "reverie statusline"\n\t},\n}\n',
    ],
    ['{}', '{\n  "statusLine": {\n    "type": "command",\n    "command": "reverie statusline"\n  }\n}'],
  ])('%j: ours stands beside it, and goes again', (before, after) => {
    const { text, ...trace } = put(before, statusLine);
    expect(text).toBe(after);
    expect(take(text, statusLine, trace)).toBe(before);
  });

  test.each([
    [
      'a comment and a trailing comma in the list',
      '{\n  "hooks": {\n    "SessionStart": [\n      { "mine" : 1 }, // keep\n      OURS\n    ],\n  },\n}',
      '{\n  "hooks": {\n    "SessionStart": [\n      { "mine" : 1 } // keep\n    ],\n  },\n}',
    ],
    [
      'a comment between ours and the next',
      '{\n  "hooks": { "SessionStart": [\n    OURS,\n    // theirs\n    { "mine" : 1 }\n  ] }\n}',
      '{\n  "hooks": { "SessionStart": [\n    // theirs\n    { "mine" : 1 }\n  ] }\n}',
    ],
    [
      'a comment before the comma',
      '{"hooks": {"SessionStart": [ OURS /* a, b */ , {"mine" : 1} ]}}',
      '{"hooks": {"SessionStart": [  /* a, b */  {"mine" : 1} ]}}',
    ],
    [
      'neighbours on the line',
      '{"hooks": {"SessionStart": [{"a":1}, OURS, {"b":2}]}}',
      '{"hooks": {"SessionStart": [{"a":1}, {"b":2}]}}',
    ],
    [
      'the first of the line',
      '{"hooks": {"SessionStart": [\n  OURS, {"b":2}]}}',
      '{"hooks": {"SessionStart": [\n  {"b":2}]}}',
    ],
    [
      'a comment where ours was alone',
      '{"hooks": {"SessionStart": [\n  // mine\n  OURS\n]}}',
      '{"hooks": {"SessionStart": [\n  // mine\n]}}',
    ],
  ])('%s: it keeps each byte', (_, text, left) => {
    const made = [['hooks'], ['hooks', 'SessionStart']];
    const ours = JSON.stringify(hook.kind === 'item' && hook.value);
    expect(take(text.replace('OURS', ours), hook, { made })).toBe(left);
  });

  test('any text comes back as it was, whatever else was written in between', () => {
    const blank = fc.constantFrom(
      '',
      '',
      '',
      ' ',
      '\t',
      '\n',
      '\n  ',
      '\r\n\t',
      '/* @, } */',
      ' // @ ]\n',
      ' // @\r\n',
    );
    const word = fc.stringMatching(/^[a-z]{1,5}$/);
    const list = (items: fc.Arbitrary<string>[], [open, close]: [string, string]) =>
      fc
        .tuple(fc.tuple(...items.map((one) => fc.tuple(blank, one, blank))), blank, fc.boolean(), blank)
        .map(([parts, inside, isTrailing, end]) => {
          const all = parts.map((part) => part.join('')).join(',');
          return open + (all === '' ? inside : all + (isTrailing ? `,${end}` : '')) + close;
        });
    const property = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
      fc.tuple(name, blank, blank, value).map(([key, a, b, of]) => `"${key}"${a}:${b}${of}`);
    const lists = (item: () => fc.Arbitrary<string>, brackets: [string, string]) =>
      fc.nat(2).chain((count) => list(Array.from({ length: count }, item), brackets));
    const scalar = fc.constantFrom('1', 'null', '"@, \\" // x"', 'true');
    const object = lists(() => property(word, scalar), ['{', '}']);
    const array = lists(() => fc.oneof(scalar, object), ['[', ']']);
    const named = (name: string, value: fc.Arbitrary<string>) => property(fc.constant(name), value);
    const start = lists(() => named('SessionStart', array), ['{', '}']).filter(
      (one) => one.split('SessionStart').length < 3,
    );
    const parts = fc.subarray([
      property(fc.constant('first'), fc.oneof(scalar, array)),
      named('mcpServers', object),
      named('hooks', start),
      named('last', scalar),
    ]);
    const root = fc.tuple(
      blank,
      parts.chain((chosen) => list(chosen, ['{', '}'])),
      blank,
    );
    fc.assert(
      fc.property(root, fc.boolean(), (pieces, isAdded) => {
        const before = pieces.join('');
        const isEmpty = !/"(?:first|mcpServers|hooks|last)"/.test(before);
        const later = (text: string) => {
          const changed = text.replaceAll('@', 'something else');
          if (!isAdded || isEmpty) return changed;
          const at = pieces[0].replaceAll('@', 'something else').length + 1;
          return `${changed.slice(0, at)}"added": 1,${changed.slice(at)}`;
        };
        const entries = [server, hook, statusLine];
        let text = before;
        const traces = entries.map((entry) => {
          const { text: next, ...trace } = put(text, entry);
          expect(has(next, entry)).toBe(true);
          text = next;
          return { entry, trace };
        });
        const back = (from: string) =>
          traces.toReversed().reduce((left, { entry, trace }) => take(left, entry, trace), from);
        expect(back(text)).toBe(before);
        expect(back(later(text))).toBe(later(before));
      }),
      { numRuns: runs(300, 3_000) },
    );
  });
});

const TOMLS: Readonly<Record<string, string>> = {
  empty: '',
  'other tables and comments':
    '# mine\nmodel = "gpt-5.5" # keep\n\n[mcp_servers.github]\ncommand = "gh"\n\n[[profiles]]\nname = "a"\n',
  'no final line': 'model = "x"\n[tui]\ntheme   =   "dark"',
  CRLF: 'model = "x"\r\n\r\n[tui]\r\na = 1\r\n',
  'a byte order mark': '\ufeffmodel = "x"\n',
};

describe('TOML', () => {
  test.each(Object.entries(TOMLS))('%s: a table is added at the end, and goes byte for byte', (_, before) => {
    const { text } = put(before, table);
    expect(text.startsWith(before)).toBe(true);
    expect(parse(text.replace(/^\ufeff/, ''))).toMatchObject({ mcp_servers: { reverie: { args: ['mcp'] } } });
    expect(put(text, table).text).toBe(text);
    // A last line without an end has got one.
    const end = before === '' || before.endsWith('\n') ? '' : '\n';
    expect(take(text, table, { made: [] })).toBe(before + end);
  });

  test('what was added below it, and beside it, stays', () => {
    const { text } = put('a = 1\n', table);
    expect(parse(take(`${text}\n[more]\nb = 2\n`, table, { made: [] }))).toEqual({ a: 1, more: { b: 2 } });
    const edited = text.replace('args = ["mcp"]', 'args = ["mcp"]\nstartup_timeout_sec = 20');
    expect(parse(take(edited, table, { made: [] }))).not.toHaveProperty('mcp_servers.reverie');
  });

  test.each([
    ['[mcp_servers.reverie]\ncommand = "other"\n', 'already'],
    ['mcp_servers = { a = { command = "a" } }\n', 'written in one line'],
    ['a = \n', 'broken'],
  ])('%s is refused with the reason', (text, why) => {
    expect(() => put(text, table)).toThrow(why);
  });
});

const below: ConfigEntry = {
  kind: 'yaml',
  path: ['mcp_servers', 'reverie'],
  value: { command: '/usr/bin/node', args: ['/opt/a b.cjs', 'mcp', '--agent', 'hermes'] },
};

const YAMLS: Readonly<Record<string, string>> = {
  empty: '',
  'a comment alone': '# mine\n',
  'no servers': '# mine\nmodel: x   # d\nplugins:\n- a\n- "b"\n\n\n',
  'servers with comments and four blanks':
    'a: 1\nmcp_servers:   # mine\n    # gh\n    github:\n        command: gh\n        args: [a]\n\nlast: |\n  text\n\n',
  'the servers last, and a block at their end':
    'mcp_servers:\n  a:\n    command: >-\n      long\n      words\n\n',
  'no server yet': 'mcp_servers: {} # none\nb: 1\n',
  'an empty name': 'mcp_servers:\nb: 1\n',
  'a comment in place of servers': 'mcp_servers:\n  # later\nb: 1\n',
  CRLF: 'a: 1\r\nmcp_servers:\r\n  x: {command: a}\r\n',
  'a byte order mark': '\ufeffa: 1\n',
  'anchors and a mark at its start': '---\nbase: &b {command: a}\nmcp_servers:\n  a: *b\n',
};

describe('YAML', () => {
  test.each(Object.entries(YAMLS))('%s: ours is lines of its own, and goes byte for byte', (_, before) => {
    const { text, ...trace } = put(before, below);
    expect(has(text, below)).toBe(true);
    expect(has(before, below)).toBe(false);
    // Lines were added, and none was changed but that of an empty list.
    const lines = text.split('\n');
    for (const line of before.replace(': {} #', ': #').split('\n')) expect(lines).toContain(line);
    if (before.includes('\r\n')) expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(take(text, below, trace)).toBe(before);
  });

  test.each(['mcp_servers: ~\nb: 1\n', 'mcp_servers: null\nb: 1\n'])('%s comes back as it was', (before) => {
    const { text, ...trace } = put(before, below);
    expect(has(text, below)).toBe(true);
    expect(take(text, below, trace)).toBe(before);
  });

  test('what its agent wrote anew in another style is found still, and what was added stays', () => {
    const { text, ...trace } = put('a: 1\n', below);
    const { mcp_servers } = parseYaml(text) as { mcp_servers: object };
    const anew = stringifyYaml({ mcp_servers, added: [{ b: 'later' }] }, { indentSeq: false });
    expect(take(anew, below, trace)).toBe('added:\n- b: later\n');
    const more = `${text}  other:\n    command: o\n`;
    expect(take(more, below, trace)).toBe('a: 1\nmcp_servers:\n  other:\n    command: o\n');
    const limited = text.replace('    args:', '    timeout: 20\n    args:');
    expect(take(limited, below, trace)).toBe('a: 1\n');
  });

  test('what somebody put in its place is theirs', () => {
    const theirs = 'mcp_servers:\n  reverie:\n    command: mine\n';
    expect(take(theirs, below, { made: [] })).toBe(theirs);
  });

  test.each([
    ['mcp_servers:\n  reverie:\n    command: mine\n', 'has mcp_servers.reverie already'],
    ['mcp_servers: {a: {command: b}}\n', 'Put this into it by hand: mcp_servers: {reverie: {"command"'],
    ['mcp_servers: [a]\n', 'mcp_servers is no map in it'],
    ['- a\n', 'no map of names and values'],
    ['a: 1\n...\n', 'by hand'],
    ['a: [\n', 'broken'],
    ['mcp_servers: *none\n', 'broken'],
    ['mcp_servers: &s {}\nb: *s\n', 'would be'],
  ])('%s is refused with what to do', (text, why) => {
    expect(() => put(text, below)).toThrow(why);
  });
});

describe('JSON5', () => {
  const entry: ConfigEntry = { ...server, path: ['mcp', 'servers', 'reverie'], json5: true };

  test('that is JSON with comments is edited as that is', () => {
    const before = '{\n  // mine\n  "gateway": { "port": 1, },\n}\n';
    const { text, ...trace } = put(before, entry);
    expect(valueOf(text)).toMatchObject({
      mcp: { servers: { reverie: { args: ['/opt/reverie.cjs', 'mcp'] } } },
    });
    expect(take(text, entry, trace)).toBe(before);
  });

  test.each(['{ gateway: { port: 1 } }', "{ 'a': 1 }", '{ "a": 0x1f }'])(
    '%s is left, and what to paste is said',
    (text) => {
      expect(() => put(text, entry)).toThrow(
        'Put this into it by hand: "mcp":{"servers":{"reverie":{"command":"/usr/bin/node"',
      );
      expect(() => take(text, entry, { made: [] })).toThrow('Take mcp.servers.reverie out by hand');
      expect(() => put(text, server)).toThrow('Mend it first');
    },
  );
});
