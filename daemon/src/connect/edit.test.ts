import { parse } from '@decimalturn/toml-patch';
import { parse as parseJson, type ParseError } from 'jsonc-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import type { ConfigEntry } from './agents.ts';
import { CannotEdit, has, put, take } from './edit.ts';

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
      const { text, made } = put(before, entry);
      expect(has(before, entry)).toBe(false);
      expect(has(text, entry)).toBe(true);
      expect(put(text, entry).text).toBe(text);
      for (const comment of before.match(/\/\/.*/g) ?? []) expect(text).toContain(comment);
      expect(text.startsWith('\ufeff')).toBe(before.startsWith('\ufeff'));
      if (before.includes('\r\n')) expect(text.replaceAll('\r\n', '')).not.toContain('\n');
      expect(valueOf(take(text, entry, made))).toEqual(before === '' ? {} : valueOf(before));
    }
  });

  test('what somebody added beside it stays', () => {
    const { text, made } = put('{}', hook);
    const edited = text.replace('"SessionStart": [', '"Stop": [], "SessionStart": [{"mine": 1}, ');
    expect(valueOf(take(edited, hook, made))).toEqual({ hooks: { Stop: [], SessionStart: [{ mine: 1 }] } });
  });

  test('ours is known by its command: another limit, and a neighbour in its group, are somebody’s own', () => {
    const { text, made } = put('{}', hook);
    const slower = text.replace('"timeout": 5', '"timeout": 60');
    expect(put(slower, hook).text).toBe(slower);
    expect(valueOf(take(slower, hook, made))).toEqual({});
    const shared = text.replace('"hooks": [', '"hooks": [{ "command": "mine" },');
    expect(valueOf(take(shared, hook, made))).toMatchObject({
      hooks: { SessionStart: [{ hooks: [{ command: 'mine' }] }] },
    });
    expect(take(shared, hook, made)).not.toContain('reverie');
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
      expect(take(theirs, whole, [])).toBe(theirs);
    }
    expect(take(whole.text, whole, [])).toBe('');
  });

  test('of any configuration nothing but ours changes', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/).filter((one) => one !== 'reverie' && one !== 'hooks');
    const config = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 });
    fc.assert(
      fc.property(config, fc.constantFrom(0, 1, 2, 4, '\t'), fc.boolean(), (value, indent, isCrlf) => {
        const plain = JSON.stringify(value, undefined, indent);
        const before = isCrlf ? plain.replaceAll('\n', '\r\n') : plain;
        for (const entry of [server, hook]) {
          const { text, made } = put(before, entry);
          expect(valueOf(take(text, entry, made))).toEqual(valueOf(before));
        }
      }),
      { numRuns: runs(50, 200) },
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
    expect(take(text, table, [])).toBe(before + end);
  });

  test('what was added below it, and beside it, stays', () => {
    const { text } = put('a = 1\n', table);
    expect(parse(take(`${text}\n[more]\nb = 2\n`, table, []))).toEqual({ a: 1, more: { b: 2 } });
    const edited = text.replace('args = ["mcp"]', 'args = ["mcp"]\nstartup_timeout_sec = 20');
    expect(parse(take(edited, table, []))).not.toHaveProperty('mcp_servers.reverie');
  });

  test.each([
    ['[mcp_servers.reverie]\ncommand = "other"\n', 'already'],
    ['mcp_servers = { a = { command = "a" } }\n', 'written in one line'],
    ['a = \n', 'broken'],
  ])('%s is refused with the reason', (text, why) => {
    expect(() => put(text, table)).toThrow(why);
  });
});
