/**
 * Memory over MCP beside the reference server, `@modelcontextprotocol/server-memory`, in one run and by the same official client over
 * standard input and output:
 *
 *   npm run bench:agents -- [--set five-lives] [--questions 30] [--rounds 5]
 *
 * Bytes of `tools/list`, milliseconds a call, bytes of a reply, and how many of the same questions are answered right: the first half of them
 * in the words of their note, the second in others, of a set that nobody who works on retrieval reads (totals only leave this program). Right is a reply with one
 * spelling of every group that the set names. Both get the same notes of the namespace that is asked; the reference server searches by substring, so each
 * word of four letters and more of a question is looked for, and the ten entities are read that most of them name: the best that an agent
 * could make of it without a model.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { Asked, isRight, Note } from '../ask/judging.ts';
import { startDaemon } from '../latency/daemon.ts';
import { quantile } from '../latency/statistics.ts';
import { readJsonl } from '../retrieval/sets/jsonl.ts';

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', default: 'five-lives' },
    questions: { type: 'string', default: '30' },
    rounds: { type: 'string', default: '5' },
  },
});
const ROOT = path.join(import.meta.dirname, '../..');
const folder = ['blind', 'open']
  .map((kind) => path.join(ROOT, 'bench/ask/sets', kind, options.set))
  .find((one) => fs.existsSync(one));
if (folder === undefined) throw new Error(`There is no set ${options.set}`);
const notes = readJsonl(path.join(folder, 'memories.jsonl'), Note);
const asked = readJsonl(path.join(folder, 'questions.jsonl'), Asked);
const half = Number(options.questions) / 2;
const questions = (['direct', 'reworded'] as const).flatMap((kind) =>
  asked.filter((question) => question.kind === kind).slice(0, half),
);

const home = fs.mkdtempSync(path.join(tmpdir(), 'reverie-bench-mcp-'));
const Entities = z.object({
  entities: z.array(z.object({ name: z.string(), observations: z.array(z.string()) })),
});

interface Contestant {
  name: string;
  /** Answers what an agent reads for a question, having asked as its server lets it. */
  answer: (client: Client, question: Asked) => Promise<string>;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  store: (client: Client) => Promise<void>;
}

async function told(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  return content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
}

const reverie = (name: string, tool: string, argument: string): Contestant => ({
  name,
  args: [path.join(ROOT, 'daemon/bin/reverie.cjs'), 'mcp'],
  env: { REVERIE_HOME: home, REVERIE_NAMESPACE: 'default' },
  store: async (client) => {
    for (const { namespace, key, value } of notes)
      await told(client, 'memory_set', { namespace, key, value });
  },
  answer: (client, { question, namespace }) => told(client, tool, { [argument]: question, namespace }),
});

/** Each namespace is a file of its own there, as the server knows none. */
const reference = (namespace: string): Contestant => ({
  name: 'server-memory',
  args: [path.join(ROOT, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js')],
  env: { MEMORY_FILE_PATH: path.join(home, `${namespace.replaceAll(/\W/g, '-')}.jsonl`) },
  store: async (client) => {
    const entities = notes
      .filter((note) => note.namespace === namespace)
      .map(({ key, value }) => ({ name: key, entityType: 'note', observations: [value] }));
    await told(client, 'create_entities', { entities });
  },
  answer: async (client, { question }) => {
    const found = new Map<string, { text: string; words: number }>();
    for (const word of new Set(question.toLowerCase().match(/\p{L}{4,}/gu))) {
      const reply: unknown = JSON.parse(await told(client, 'search_nodes', { query: word }));
      for (const { name, observations } of Entities.parse(reply).entities) {
        const before = found.get(name)?.words ?? 0;
        found.set(name, { text: observations.join('\n'), words: before + 1 });
      }
    }
    const best = [...found.values()].toSorted((a, b) => b.words - a.words).slice(0, 10);
    return best.map(({ text }) => text).join('\n');
  },
});

async function connected({ args, env }: Contestant): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...args],
      env: { ...(process.env as Record<string, string>), ...env },
      stderr: 'ignore',
    }),
  );
  return client;
}

interface Figures {
  listBytes: number;
  right: number;
  took: number[];
  bytes: number[];
}

async function measured(contestant: Contestant, some: readonly Asked[]): Promise<Figures> {
  const client = await connected(contestant);
  try {
    const { tools } = await client.listTools();
    await contestant.store(client);
    const figures: Figures = {
      listBytes: Buffer.byteLength(JSON.stringify({ tools })),
      right: 0,
      took: [],
      bytes: [],
    };
    for (let round = 0; round < Number(options.rounds); round += 1)
      for (const question of some) {
        const from = performance.now();
        const reply = await contestant.answer(client, question);
        figures.took.push(performance.now() - from);
        figures.bytes.push(Buffer.byteLength(reply));
        if (round === 0 && isRight(question, { certainty: 'likely', answer: reply, first: reply }))
          figures.right += 1;
      }
    return figures;
  } finally {
    await client.close();
  }
}

function say(name: string, all: readonly Figures[]): void {
  const took = all.flatMap((one) => one.took);
  const bytes = all.flatMap((one) => one.bytes);
  const right = all.reduce((sum, one) => sum + one.right, 0);
  const cells = [
    name.padEnd(24),
    `tools/list ${all[0]?.listBytes ?? 0} bytes`,
    `a question p50 ${quantile(took, 0.5).toFixed(1)} ms, p95 ${quantile(took, 0.95).toFixed(1)} ms`,
    `reply p50 ${quantile(bytes, 0.5)} bytes`,
    `right ${right} of ${questions.length}`,
  ];
  process.stdout.write(`${cells.join(' · ')}\n`);
}

const daemon = await startDaemon(home);
try {
  say('reverie memory_search', [await measured(reverie('search', 'memory_search', 'query'), questions)]);
  say('reverie memory_ask', [await measured(reverie('ask', 'memory_ask', 'question'), questions)]);
  const namespaces = [...new Set(questions.map(({ namespace }) => namespace))];
  const figures: Figures[] = [];
  for (const namespace of namespaces)
    figures.push(
      await measured(
        reference(namespace),
        questions.filter((question) => question.namespace === namespace),
      ),
    );
  say('server-memory', figures);
} finally {
  await daemon.stop();
  fs.rmSync(home, { recursive: true });
}
