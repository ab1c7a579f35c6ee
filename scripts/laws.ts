import fs from 'node:fs';
import path from 'node:path';

// Laws that no other tool knows: decisions are short and listed, the walk of ARCHITECTURE.md names what is there, memories have one
// writer, folders have names of their own, and links between pages lead somewhere.
const MOST_LINES = 40;
const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, 'docs/decisions');

const complaints: string[] = [];
const pages = fs.readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name));
if (pages.length === 0) complaints.push('docs/decisions has no pages');

const index = fs.readFileSync(path.join(folder, 'README.md'), 'utf8');
const listed = [...index.matchAll(/^- \[(\d{4})\]\(([^)]+)\): (.+)$/gm)].map(
  ([, number = '', file = '', sentence = '']) => ({ number, file, sentence }),
);

for (const page of pages) {
  const lines = fs.readFileSync(path.join(folder, page), 'utf8').trimEnd().split('\n').length;
  if (lines > MOST_LINES)
    complaints.push(`docs/decisions: ${page} has ${lines} lines; decisions have at most ${MOST_LINES}`);
  const entries = listed.filter(({ file }) => file === page);
  if (entries.length !== 1)
    complaints.push(`docs/decisions: ${page} stands ${entries.length} times in the index`);
}
for (const { number, file, sentence } of listed) {
  if (!pages.includes(file)) complaints.push(`docs/decisions: the index lists ${file}, which is not there`);
  if (!file.startsWith(`${number}-`)) complaints.push(`docs/decisions: the index calls ${file} ${number}`);
  if (!/^[^.!?]+(?:[.!?](?! [A-Z])[^.!?]*)*\.$/.test(sentence))
    complaints.push(`docs/decisions: ${number} has no single sentence`);
}

// The walk: each hop names a file, and something that stands in it.
const architecture = fs.readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
const hops = [...architecture.matchAll(/^\| *(\d+) *\|[^|]*\| *`([^`]+)` *\| *`(\w+)` *\|$/gm)];
const walked = new Set(hops.map(([, , file = '']) => file));
const counted = /(\d+) hops through (\d+) files/.exec(architecture);
if (hops.length === 0) complaints.push('ARCHITECTURE.md has no walk');
if (Number(counted?.[1]) !== hops.length || Number(counted?.[2]) !== walked.size)
  complaints.push(
    `ARCHITECTURE.md: the walk has ${hops.length} hops through ${walked.size} files, and says otherwise`,
  );
for (const [index, [, number, file = '', name = '']] of hops.entries()) {
  const text = fs.existsSync(path.join(root, file))
    ? fs.readFileSync(path.join(root, file), 'utf8')
    : undefined;
  if (Number(number) !== index + 1) complaints.push(`ARCHITECTURE.md: hop ${number} is the ${index + 1}th`);
  if (text === undefined) complaints.push(`ARCHITECTURE.md: hop ${number}: there is no ${file}`);
  else if (!new RegExp(`\\b${name}\\b`).test(text))
    complaints.push(`ARCHITECTURE.md: hop ${number}: ${file} has no ${name}`);
}

// Links from page to page, as GitHub follows them; `daemon/src/features/system/guide` holds those of the served guide.
const pagesOf = (below: string): string[] =>
  fs
    .readdirSync(path.join(root, below), { recursive: below !== '', encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join(below, name.split(path.sep).join('/')));
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
let links = 0;
for (const page of [...pagesOf(''), ...pagesOf('docs')]) {
  const text = fs.readFileSync(path.join(root, page), 'utf8').replaceAll(/^```.*?^```$/gms, '');
  for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^(?:[a-z]+:|\/)/.test(link)) continue;
    links += 1;
    const [file = '', anchor] = link.split('#', 2);
    const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
    const at = path.join(root, target);
    if (!fs.existsSync(at)) complaints.push(`${page}: ${link} leads nowhere`);
    else if (anchor !== undefined && !anchorsOf(fs.readFileSync(at, 'utf8')).includes(anchor))
      complaints.push(`${page}: ${link}: there is no such heading`);
  }
}
if (links < 100) complaints.push(`only ${links} links were followed`);

// Law 3, and the folders of law 5.
const WRITERS = /\b(?:insertMemory|updateMemory)\b/;
const MAY_WRITE = /^daemon\/src\/features\/memories\/memories\.(?:service|store)\.ts$/;
const ACTORS = /\bactor\.kind\b/;
const NAMELESS = new Set(['utils', 'helpers', 'common', 'types']);
let looked = 0;
for (const product of ['app', 'bench', 'cloud', 'daemon', 'e2e', 'scripts', 'shared'])
  for (const entry of fs.readdirSync(path.join(root, product), { recursive: true, withFileTypes: true })) {
    const at = path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/');
    if (/(?:^|\/)(?:node_modules|dist)(?:\/|$)/.test(at)) continue;
    if (entry.isDirectory() && NAMELESS.has(entry.name)) complaints.push(`${at}: say what is in it`);
    if (at.startsWith('shared/') && entry.name === 'index.ts') complaints.push(`${at}: shared exports paths`);
    if (!at.startsWith('daemon/src/') || !/\.ts$/.test(at) || /\.test\.ts$/.test(at)) continue;
    looked += 1;
    const text = fs.readFileSync(path.join(root, at), 'utf8');
    if (!MAY_WRITE.test(at) && WRITERS.test(text))
      complaints.push(`${at}: memories are written by writeMemory of memories.service alone`);
    if (/^daemon\/src\/(?:features\/memories|sync)\//.test(at) && ACTORS.test(text))
      complaints.push(`${at}: changes are told apart by their origin, not by who made them`);
  }
if (looked < 100) complaints.push(`only ${looked} files of the daemon were looked at`);

for (const complaint of complaints) console.log(complaint);
process.exitCode = complaints.length === 0 ? 0 : 1;
