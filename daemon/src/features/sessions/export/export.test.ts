import { createKey } from '@reverie/shared/contract/accounts/keys';
import * as contract from '@reverie/shared/contract/sessions/session-export';
import { addEntries, createSession } from '@reverie/shared/contract/sessions/sessions';
import MarkdownIt from 'markdown-it';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.stop());

type Given = Parameters<typeof daemon.call<typeof addEntries>>[1]['body']['entries'][number];
const begin = async (entries: Given[], title = 'Rate limits') => {
  const { id } = await daemon.call(createSession, {
    body: { agent: 'codex', title, project: 'acme/api', branch: 'limits', namespace: 'work' },
  });
  for (let from = 0; from < entries.length; from += 500)
    await daemon.call(addEntries, { params: { id }, body: { entries: entries.slice(from, from + 500) } });
  return id;
};
const written = (id: string, format: contract.ExportFormat, secrets: 'true' | 'false' = 'false') =>
  daemon.call(contract.exportSession, { params: { id }, query: { format, secrets } });
const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;

test('Markdown says who said what and when, and shows tools as code', async () => {
  const id = await begin([
    { kind: 'prompt', text: 'Add rate limits.\nTo every route.' },
    { kind: 'tool_call', text: 'src/limit.ts\n-old\n+new', tool: { name: 'Edit' }, files: ['src/limit.ts'] },
    { kind: 'tool_result', text: 'a ``` b', tool: { name: 'Edit', failed: true }, files: ['src/other.ts'] },
    { kind: 'answer', text: '## Done\n\n- one' },
  ]);
  const text = await written(id, 'md');
  expect(text).toMatch(/^# Rate limits\n\n- Agent: codex\n- Project: acme\/api\n- Branch: limits\n/);
  expect(text).toMatch(
    /\n## \S+\n\n_\d{4}-\d\d-\d\d \d\d:\d\d, ent_[0-9a-f]{8}_\n\n> Add rate limits\.\n> To every route\.\n/,
  );
  expect(text).toContain('\n### Edit\n');
  expect(text).toContain('\n```diff\nsrc/limit.ts\n-old\n+new\n```\n');
  expect(text).toContain('\n### Edit: failed\n');
  expect(text).toContain('\n````text\na ``` b\n````\n\n- src/other.ts\n');
  expect(text).toContain('\n> ## Done\n>\n> - one\n');
  expect(
    text.endsWith(
      '4 entries. 0 secrets were taken out.\n\n<!-- reverie: entries=4 redactions=0 left_out=0 -->\n',
    ),
  ).toBe(true);
  expect(contract.readExportEnd(text)).toEqual({ entries: 4, redactions: 0, leftOut: 0 });
  expect(contract.readExportEnd(text.slice(0, -2))).toBeUndefined();
});

test('secrets, unknown records and places of this machine stay here, unless the owner key says otherwise', async () => {
  const home = process.env['HOME'] ?? '';
  const id = await begin(
    [
      { kind: 'prompt', text: `The token is ${TOKEN}, see ${home}/notes.txt` },
      {
        kind: 'tool_call',
        text: 'cat it',
        tool: { name: 'Read', call: TOKEN },
        files: [`/srv/${TOKEN}/a.txt`],
      },
      { kind: 'other', text: '{"unknown":"record"}' },
    ],
    `Rotate ${TOKEN}`,
  );
  for (const format of contract.exportFormats) {
    const text = await written(id, format);
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain(TOKEN.slice(4, 24));
    expect(text).not.toContain('unknown&quot;');
    expect(text).not.toContain('"unknown"');
    expect(text).toContain('~/notes.txt');
    const { entries, redactions, leftOut } = contract.readExportEnd(text) ?? {};
    expect([entries, leftOut]).toEqual([2, 1]);
    // Of the title, the prompt and the name of the call.
    expect(redactions).toBe(3);
    expect(text).toContain('1 entry was left out');
    const whole = await written(id, format, 'true');
    // Of the title, the prompt and the path; Markdown marks what would be emphasis.
    expect(whole.replaceAll('\\', '').split(TOKEN).length).toBeGreaterThan(3);
    expect(whole).toContain('Unknown record');
    expect(whole).toContain('Secrets were not taken out.');
  }
  const { key } = await daemon.call(createKey, { body: { name: 'writer', scope: 'write' } });
  const asWriter = daemon.as(key)(contract.exportSession, { params: { id }, query: { secrets: 'true' } });
  await expect(asWriter).rejects.toMatchObject({ code: 'forbidden_scope' });
  const other = daemon.addAccount('owner');
  await expect(
    daemon.as(other.key)(contract.exportSession, { params: { id }, query: {} }),
  ).rejects.toMatchObject({ code: 'session_not_found' });
});

test('a narrower key gets the sessions of its namespaces only', async () => {
  const id = await begin([{ kind: 'prompt', text: 'x' }]);
  const narrow = async (namespaces: string[]) => {
    const { key } = await daemon.call(createKey, {
      body: { name: namespaces[0] ?? '', scope: 'read', namespaces },
    });
    return daemon.as(key);
  };
  const query = { format: 'md' } as const;
  expect(await (await narrow(['work']))(contract.exportSession, { params: { id }, query })).toContain('> x');
  const other = await narrow(['else']);
  await expect(other(contract.exportSession, { params: { id }, query })).rejects.toMatchObject({
    code: 'session_not_found',
  });
  await expect(
    other(contract.resumeSession, { params: { id }, query: { in: 'codex' } }),
  ).rejects.toMatchObject({ code: 'session_not_found' });
});

/** What might break out of its place. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '</details></article></main><img src=x onerror=alert(1)>',
  '</pre><iframe src="https://evil.example"></iframe>',
  '![pixel](https://evil.example/pixel.png)',
  '[press](javascript:alert(1)) [here](https://good.example/)',
  '```\nnever closed\n<!-- reverie: entries=9 redactions=0 left_out=0 -->',
  '\u001b[31mred\u001b[0m\u001b]0;title\u0007\u0000 and plain',
  '"><style>*{display:none}</style>',
  '| a |\n|--:|\n| <b>b</b> |',
];

test('whatever is said, the HTML page is made of text, and of links into the web', async () => {
  const kinds = ['prompt', 'answer', 'note', 'summary', 'thinking', 'tool_call', 'tool_result'] as const;
  const id = await begin(
    HOSTILE.flatMap((text) =>
      kinds.map((kind): Given => ({ kind, text, tool: { name: 'T' }, files: ['<b>.ts'] })),
    ),
    '</title><script>alert(2)</script>',
  );
  const html = await written(id, 'html');
  const tags = new Set([...html.matchAll(/<\/?([a-z!][\w-]*)/gi)].map(([, name]) => name?.toLowerCase()));
  for (const tag of ['script', 'img', 'iframe', 'b-', 'form', 'object', 'base', 'link'])
    expect(tags).not.toContain(tag);
  expect(html.match(/<style>/g)).toHaveLength(1);
  expect(html.match(/<title>/g)).toHaveLength(1);
  expect(html.match(/<details>/g)).toHaveLength(html.match(/<\/details>/g)?.length ?? -1);
  expect(html.match(/<article /g)).toHaveLength(HOSTILE.length * kinds.length);
  expect(html.match(/<\/article>/g)).toHaveLength(HOSTILE.length * kinds.length);
  expect([...html.matchAll(/ (?:href|src)="([^"#][^"]*)"/g)].map(([, to]) => to)).toEqual([
    // A picture is a link, which nobody follows unasked.
    ...Array<string>(3).fill('https://evil.example/pixel.png'),
    ...Array<string>(3).fill('https://good.example/'),
  ]);
  expect(html).not.toMatch(/ on\w+=(?!alert\(1\)&gt;)/);
  expect(html).not.toMatch(/<[^>]* style=/);
  expect(html).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
  expect(html).toContain('red and plain');
});

test('whatever is said, each text of the Markdown file ends where it ends', async () => {
  const id = await begin(
    HOSTILE.flatMap((text): Given[] => [
      { kind: 'answer', text },
      { kind: 'tool_result', text, tool: { name: 'T' } },
    ]),
    '</title><script>alert(2)</script>',
  );
  const text = await written(id, 'md');
  const { parserOfMarkdown } = await import('./parser.ts');
  const tokens = parserOfMarkdown('everything')
    .parse(text, {})
    .flatMap((token) => [token, ...(token.children ?? [])]);
  // The comment at the end alone.
  expect(tokens.filter(({ type }) => type.startsWith('html_')).map(({ content }) => content)).toEqual([
    '<!-- reverie: entries=18 redactions=0 left_out=0 -->\n',
  ]);
  expect(tokens.filter(({ type }) => type === 'image')).toEqual([]);
  const headings = tokens.filter(({ type, level }) => type === 'heading_open' && level === 0);
  expect(headings).toHaveLength(1 + 2 * HOSTILE.length);
});

/** Links that leave the web, as they may be written. */
const ELSEWHERE = [
  '[a](javascript:alert(1))',
  '[a](JavaScript:alert(1) "title")',
  '[a](<javascript:alert(1)>)',
  '[a]( \n javascript:alert(1))',
  '[a](java&Tab;script:alert(1))',
  '[a](javascript&colon;alert(1))',
  '[a](java\\script:alert(1)) [a](javascript\\:alert(1))',
  '[a](&#x6A;avascript:alert(1))',
  '[a](<java\tscript:alert(1)>)',
  '[a](vbscript:x) [b](data:text/html;base64,PHNjcmlwdD4=) [c](file:///etc/passwd) [d](vscode://file/x)',
  '[a][1]\n\n[1]: javascript:alert(1)',
  '[a]\n\n[a]:\n  <javascript:alert(1)>',
  '> [a][1]\n>\n> [1]: javascript:alert(1)',
  '<javascript:alert(1)>',
  '[![p](https://x.example/p.png)](javascript:alert(1))',
  '![p](javascript:alert(1))',
  '- [a](javascript:alert(1))\n- | [a](javascript:alert(1)) |',
];

test('links of the Markdown file lead into the web alone; others are text, and stay as they were written', async () => {
  const web = '[here](https://good.example/) [mail](mailto:a@example.org) [file](src/a.ts)';
  const id = await begin(ELSEWHERE.map((text): Given => ({ kind: 'answer', text: `${text}\n\n${web}` })));
  const text = await written(id, 'md');
  // A parser that forbids nothing, as some that show such files are.
  const parser = Object.assign(new MarkdownIt(), {
    validateLink: () => true,
    normalizeLink: (to: string) => to,
  });
  const links = parser
    .parse(text, {})
    .flatMap((token) => token.children ?? [])
    .flatMap((token) => token.attrGet('href') ?? []);
  const isElsewhere = (to: string) =>
    /^(?!https:|mailto:)[a-z][a-z\d+.-]*:/i.test(to.replaceAll(/[\u0000-\u0020]/g, ''));
  expect(links.filter(isElsewhere)).toEqual([]);
  // One text is shown as code, since it is written as nobody writes a link.
  expect(links.filter((to) => to === 'https://good.example/').length).toBeGreaterThan(ELSEWHERE.length - 3);
  expect(links.filter((to) => to === 'src/a.ts').length).toBeGreaterThan(ELSEWHERE.length - 3);
  expect(text).toContain('alert(1)');
});

test(
  'long lines and many entries are written, each once, and others are answered meanwhile',
  async () => {
    const long = `${'x'.repeat(600)} `.repeat(1_700).slice(0, 1_000_000);
    const id = await begin([
      { kind: 'answer', text: long },
      { kind: 'tool_result', text: long, tool: { name: 'Bash' } },
      ...Array.from({ length: 2_000 }, (_, i): Given => ({ kind: 'prompt', text: `number-${i};` })),
    ]);
    let worst = 0;
    let isOver = false;
    const looking = (async () => {
      while (!isOver) {
        const from = performance.now();
        await daemon.ask({ path: '/healthz' });
        worst = Math.max(worst, performance.now() - from);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    const html = await written(id, 'html');
    isOver = true;
    await looking;
    expect(contract.readExportEnd(html)).toEqual({ entries: 2_002, redactions: 0, leftOut: 0 });
    for (const i of [0, 1_000, 1_999]) expect(html.split(`number-${i};`)).toHaveLength(2);
    expect(html.split('x'.repeat(600)).length).toBeGreaterThan(3_000);
    expect(worst).toBeLessThan(seconds(0.15));
  },
  seconds(60),
);
