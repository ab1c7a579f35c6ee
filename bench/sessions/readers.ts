/**
 * How fast the log of a session is read, and what memory that takes: a file of Claude Code of 200 MB (or as many as given), made here.
 * `node bench/sessions/readers.ts [MB]`. Beside it `JSON.parse` of the same lines alone, which no reader can be faster than.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { sessionFormats } from '@reverie/session-logs/formats';
import { createJsonLines } from '@reverie/session-logs/json-lines';

const megabytes = Number(process.argv[2] ?? 200);
const session = '3f2a6c1e-8b1d-4c55-9a55-0d6c2f0e7a11';
const START = Date.UTC(2026, 7, 10);

function words(bytes: number, seed: number): string {
  let text = '';
  for (let n = seed; text.length < bytes; n = (n * 48271) % 2147483647) {
    text += `${n.toString(36)}${n % 11 === 0 ? '\n' : ' '}`;
  }
  return text.slice(0, bytes);
}

/** The lines of a turn: a prompt, six messages with thinking, text and a call each in lines of their own, their results, and bookkeeping. */
function turn(n: number): object[] {
  const envelope = {
    sessionId: session,
    cwd: '/home/ana/app',
    gitBranch: 'main',
    version: '2.1.285',
    isSidechain: false,
    userType: 'external',
  };
  const timestamp = new Date(START + n * 60_000).toISOString();
  const lines: object[] = [
    {
      type: 'user',
      uuid: `p${n}`,
      parentUuid: null,
      timestamp,
      ...envelope,
      message: { role: 'user', content: words(300, n + 1) },
    },
  ];
  for (let m = 0; m < 6; m++) {
    const id = `msg_${n}_${m}`;
    const call = `toolu_${n}_${m}`;
    const blocks = [
      { type: 'thinking', thinking: '', signature: words(600, n + m + 2).replaceAll(/\s/g, 'A') },
      { type: 'text', text: words(1_500, n + m + 3) },
      {
        type: 'tool_use',
        id: call,
        name: 'Edit',
        input: {
          file_path: `/home/ana/app/src/${n}.ts`,
          old_string: words(400, n),
          new_string: words(600, m + 1),
        },
      },
    ];
    blocks.forEach((block, i) => {
      const usage = {
        input_tokens: 10,
        output_tokens: 100 + i,
        cache_creation_input_tokens: 900,
        cache_read_input_tokens: 40_000,
      };
      const message = { id, role: 'assistant', model: 'claude-opus-4-5', content: [block], usage };
      lines.push({
        type: 'assistant',
        uuid: `${id}${i}`,
        parentUuid: `p${n}`,
        timestamp,
        requestId: `req_${id}`,
        ...envelope,
        message,
      });
    });
    const content = [
      { type: 'tool_result', tool_use_id: call, content: words(m === 0 ? 20_000 : 4_000, n + m) },
    ];
    lines.push({
      type: 'user',
      uuid: `r${id}`,
      parentUuid: `${id}2`,
      timestamp,
      ...envelope,
      message: { role: 'user', content },
      toolUseResult: { filePath: `/home/ana/app/src/${n}.ts`, originalFile: words(8_000, n) },
    });
    lines.push({ type: 'file-history-snapshot', messageId: id, snapshot: { trackedFileBackups: {} } });
  }
  if (n % 50 === 0) {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBO'.repeat(250_000) },
    };
    lines.push({
      type: 'user',
      uuid: `i${n}`,
      timestamp,
      ...envelope,
      message: { role: 'user', content: [image] },
    });
  }
  return lines;
}

function write(file: string): number {
  const out = fs.openSync(file, 'w');
  let bytes = 0;
  for (let n = 0; bytes < megabytes * 1e6; n++) {
    bytes += fs.writeSync(
      out,
      turn(n)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
  }
  fs.closeSync(out);
  return bytes;
}

async function measured(name: string, bytes: number, read: (line: string) => void): Promise<void> {
  const before = process.memoryUsage().rss;
  let most = before;
  const began = performance.now();
  let lines = 0;
  for await (const line of readline.createInterface({
    input: fs.createReadStream(file, { highWaterMark: 1 << 20 }),
    crlfDelay: Infinity,
  })) {
    read(line);
    if (++lines % 500 === 0) most = Math.max(most, process.memoryUsage().rss);
  }
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${name.padEnd(22)} ${lines} lines, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s, ${seconds.toFixed(1)} s, memory grew by ${((most - before) / 1e6).toFixed(0)} MB`,
  );
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-reading-'));
const file = path.join(folder, `${session}.jsonl`);
try {
  const bytes = write(file);
  console.log(`${(bytes / 1e6).toFixed(0)} MB, Node ${process.version}`);
  let kept = 0;
  const format = sessionFormats.find(({ agent }) => agent === 'claude-code');
  const reader = format?.lines?.({ kind: 'lines', session, path: `-home-ana-app/${session}.jsonl` });
  if (!reader) throw new Error('Claude Code writes lines');
  const lines = createJsonLines(reader);
  await measured('lines alone', bytes, () => undefined);
  await measured('JSON.parse alone', bytes, (line) => {
    const value: unknown = JSON.parse(line);
    kept += value === null ? 1 : 0;
  });
  await measured('the reader', bytes, (line) => {
    for (const { reads } of lines.read(line).records) kept += reads.length;
  });
  console.log(`${kept} reads`);
} finally {
  fs.rmSync(folder, { recursive: true });
}
