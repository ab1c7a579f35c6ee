import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { briefOf, memoriesOf } from './brief.ts';
import { makeRepository } from './testing.ts';

const read = (folder: string) => briefOf(folder, process.env);
const textsOf = async (folder: string, kind: string) =>
  (await read(folder)).proposals.filter((one) => one.kind === kind).map(({ text }) => text);

const LONG =
  'The lock file was written by npm 10, whose order of optional packages differs, and npm 11 then refused it in the image that builds the shop. Both are pinned now in the image, and the file was written anew.';

test('a decision that holds is told with what was decided; one that does not is left out', async () => {
  const { folder, commit } = makeRepository();
  commit('Decide', {
    'docs/adr/0001-use-sqlite.md':
      '# 1. Use SQLite\n\n## Status\n\nAccepted\n\n## Context\n\nWe store.\n\n## Decision\n\nWe use SQLite, for it needs no server.\n\n## Consequences\n\nOne writer.\n',
    'docs/adr/0002-use-yaml.md': '# 2. Use YAML\n\nStatus: Superseded by 3\n\n## Decision\n\nWe use YAML.\n',
    'docs/adr/0003-use-toml.md':
      '---\nstatus: accepted\n---\n# Use TOML\n\n## Decision Outcome\n\nChosen option: "TOML", because it has one meaning.\n',
    'docs/adr/0004-use-ini.md': '# Use INI\n\n* Status: **rejected**\n\n## Decision\n\nWe use INI.\n',
    'tests/fixtures/adr/0001-made-up.md': '# Made up\n\n## Decision\n\nLorem ipsum.\n',
    'tests/fixtures/adr/0002-made-up.md': '# Made up too\n\n## Decision\n\nLorem ipsum.\n',
  });
  expect(await textsOf(folder, 'decision')).toEqual([
    'Use TOML (accepted): Chosen option: "TOML", because it has one meaning.',
    'Use SQLite (Accepted): We use SQLite, for it needs no server.',
  ]);
});

test('where a record has no such heading, the index says what it decided', async () => {
  const { folder, commit } = makeRepository();
  commit('Decide', {
    'docs/decisions/README.md':
      '# Decisions\n\n- [0001](0001-one-file.md): All memories lie in one file of SQLite.\n- [0002](0002-two.md): Times are UTC everywhere.\n',
    'docs/decisions/0001-one-file.md': '# 1. One file\n\n**Choice.** It is one.\n',
    'docs/decisions/0002-two.md': '# 2. Times\n\n**Choice.** They are.\n',
  });
  expect(await textsOf(folder, 'decision')).toEqual([
    'Times are UTC everywhere.',
    'One file: All memories lie in one file of SQLite.',
  ]);
});

test('sections that name something of the code are conventions, also of reStructuredText; those about people are not', async () => {
  const { folder, commit } = makeRepository();
  commit('Rules', {
    'AGENTS.md': '# Agents\n\n## Style\n\n- Say `const` wherever it is possible\n- No `any`\n',
    'CONTRIBUTING.rst':
      'Contributing\n============\n\nThanks to all\n-------------\n\n* Ada\n* Grace\n\nTests\n-----\n\nRun them::\n\n    uv run pytest\n\nThose of ``slow/`` are skipped.\n',
  });
  expect(await textsOf(folder, 'convention')).toEqual([
    'Style:\n- Say `const` wherever it is possible\n- No `any`',
    expect.stringMatching(/^Tests: Run them:\n {4}uv run pytest\nThose of ``slow\/`` are skipped\.$/u),
  ]);
});

test('scripts that the papers name come first, by the program that locks; what a job ends with is run for pull requests', async () => {
  const { folder, commit } = makeRepository();
  commit('Scripts', {
    'README.md':
      '# Shop\n\nA shop that sells tea to people who like it, by the gram.\n\n## Start\n\n```sh\npnpm serve\n```\n',
    'package.json': JSON.stringify({ scripts: { clean: 'rm -r dist', serve: 'node serve.js' } }),
    'pnpm-lock.yaml': '',
    Makefile: 'CC := gcc\nout.o: in.c\n\tcc\n# Builds the image\nimage: out.o\n\tdocker build .\n',
    '.github/workflows/ci.yml':
      'on: [push, pull_request]\njobs:\n  test:\n    steps:\n      - uses: actions/checkout@v4\n      - run: pip install uv\n      - run: |\n          pnpm check\n          curl ${{ secrets.URL }}\n',
    '.github/workflows/release.yml': 'on: push\njobs:\n  out:\n    steps:\n      - run: npm publish\n',
  });
  expect(await textsOf(folder, 'command')).toEqual([
    'Commands (Makefile):\n- `make image`: Builds the image',
    'Commands (package.json):\n- `pnpm serve`: node serve.js\n- `pnpm clean`: rm -r dist',
    'What is run for each pull request:\n- `pnpm check`',
  ]);
  expect(await textsOf(folder, 'project')).toContain(
    'What this is: A shop that sells tea to people who like it, by the gram.',
  );
});

test('without any of those the first commands of the README are told', async () => {
  const { folder, commit } = makeRepository();
  commit('Begin', {
    'README.md': '# Shop\n\n## Start\n\n```sh\ndocker run shop\n```\n\n## More\n\n```sh\nls\n```\n',
  });
  expect(await textsOf(folder, 'command')).toEqual(['Start (README.md):\n```sh\ndocker run shop\n```']);
});

test('a secret in a commit or a text is taken out of all that is proposed', async () => {
  const { folder, commit } = makeRepository();
  const key = ['AKIA', 'QX7L', 'M2V9', 'TRW4', 'ZK3P'].join('');
  commit(`deploy: new key\n\nThe old one, ${key}, was found in a log. ${LONG}`, {
    'AGENTS.md': `# A\n\n## Deploy\n\n- Set \`AWS_ACCESS_KEY_ID=${key}\`\n`,
  });
  const brief = await read(folder);
  expect(brief.redacted).toBeGreaterThan(0);
  expect(brief.proposals.map(({ kind }) => kind)).toContain('convention');
  const texts = await brief.texts();
  expect(texts.map(({ source }) => source)).toContainEqual(expect.stringMatching(/^commit [0-9a-f]{12}$/u));
  expect(JSON.stringify([texts, memoriesOf('shop', brief.proposals)])).not.toContain(key);
});

test('no commit yet, bare, shallow, a worktree, a folder below: each is read, and what is no repository says so', async () => {
  const { folder, git, commit } = makeRepository();
  expect((await read(folder)).proposals).toEqual([]);
  commit('One', {
    'README.md': '# Shop\n\nA shop that sells tea to people who like it, by the gram.\n',
    'sub/a.ts': '1',
  });
  commit('Two', { 'sub/a.ts': '2' });
  const about = ['What this is: A shop that sells tea to people who like it, by the gram.'];
  const others = { bare: `${folder}-bare`, shallow: `${folder}-shallow`, tree: `${folder}-tree` };
  try {
    git('clone', '-q', '--bare', folder, others.bare);
    git('clone', '-q', '--depth=1', `file://${folder}`, others.shallow);
    git('worktree', 'add', '-q', others.tree, '-b', 'other');
    for (const one of [...Object.values(others), join(folder, 'sub')])
      expect((await textsOf(one, 'project')).slice(0, 1)).toEqual(about);
  } finally {
    for (const one of Object.values(others)) rmSync(one, { recursive: true, force: true });
  }
  await expect(read('/')).rejects.toThrow('/ is in no Git repository: name one');
});

test('the config of a repository starts no program, and names of its files lead nowhere', async () => {
  const { folder, git, commit } = makeRepository();
  const [program, trace] = [join(folder, 'evil.sh'), join(folder, 'started')];
  writeFileSync(
    program,
    `#!/bin/sh\ncase "$*" in\n*-bsau*) cat >/dev/null; echo SIGNED; echo "[GNUPG:] SIG_CREATED " >&2;;\n*) touch ${trace};;\nesac\n`,
    { mode: 0o755 },
  );
  symlinkSync('/etc/passwd', join(folder, 'README.md'));
  commit(`One\n\n${LONG}`, {
    '.gitattributes': '* diff=evil filter=evil\n',
    'CONTRIBUTING.md': '# C\n\n## Tests\n\n- Run `npm test`\n',
    'docs/adr/0001-\n$(touch x);\u001b[2J.md': '# Odd\n\n## Decision\n\nNames are odd.\n',
    'docs/adr/0002-other.md': '# Other\n\n## Decision\n\nThey are.\n',
  });
  const settings = ['core.fsmonitor', 'core.pager', 'diff.external', 'diff.evil.textconv', 'gpg.program'];
  settings.push(
    'core.sshCommand',
    'filter.evil.smudge',
    'filter.evil.clean',
    'core.editor',
    'core.alternateRefsCommand',
  );
  git('-c', `gpg.program=${program}`, 'commit', '-q', '-S', '--allow-empty', '-m', 'Signed');
  for (const name of settings) git('config', name, program);
  for (const name of ['log.showSignature', 'core.untrackedCache']) git('config', name, 'true');
  git('config', 'alias.log', `!${program}`);
  git('config', 'extensions.partialClone', 'origin');
  git('config', 'remote.origin.url', `ext::${program}`);
  rmSync(trace, { force: true });
  const { proposals } = await read(folder);
  expect(existsSync(trace)).toBe(false);
  expect(proposals.map(({ kind }) => kind).sort()).toEqual(['convention', 'decision', 'decision', 'project']);
  for (const { key } of memoriesOf('shop', proposals)) expect(key).toMatch(/^[\p{L}\p{N}-]+$/u);
  expect(JSON.stringify(proposals)).not.toContain('root:');
});

test('files that are not what their names say tell nothing', async () => {
  const { folder, commit } = makeRepository();
  commit('Odd', {
    'package.json': '{"scripts": {"a": ',
    'pyproject.toml': '[[[',
    '.github/workflows/ci.yml': 'on: pull_request\njobs: &a\n  b: *a\n  c: [',
    'README.md': '\u0000'.repeat(100),
    'CONTRIBUTING.md': `${'#'.repeat(5000)}\n${'- `'.repeat(5000)}`,
  });
  expect((await read(folder)).proposals.map(({ label }) => label)).toEqual(['papers']);
});
