import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bare, measureBare, measureFsync, sizeMb } from './bare.ts';
import { type Corpus, randomFrom } from './corpus.ts';
import { type Answer, type Call, type Daemon, keepOnOneCore, residentMb, startDaemon } from './daemon.ts';
import { type Spread, spread } from './statistics.ts';

/** Milliseconds of the same requests: by the client, by the server, of its main thread running and waiting for a core. */
export interface Timed {
  client: Spread;
  server: Spread;
  cpu: Spread;
  wait: Spread;
}

/** All figures of one size; milliseconds, megabytes (10^6) and memories a second. */
export interface Measured {
  memories: number;
  corpus: string;
  oneCore: boolean;
  fsyncBefore: Spread;
  fsyncAfter: Spread;
  batch1000PerSecond: number;
  /** Milliseconds that the main thread ran for each memory, and waited for a core. */
  batchCpuMs: number;
  batchWaitMs: number;
  batch100PerSecond: number;
  set: Timed;
  get: Timed;
  list: Timed;
  listDeep: Timed;
  /** Each query for the first time; then all of them again. */
  searchFirst: Timed;
  searchAgain: Timed;
  /** First times, by kind of query. */
  searchByKind: Record<string, Timed>;
  searchEightAtOnce: Timed;
  /** By turns: the same queries again, each alone and with four further wordings. */
  searchAlone: Timed;
  searchWorded: Timed;
  /** With nothing in the home, once all is loaded that is loaded after the start. */
  residentEmptyMb: number;
  residentLoadedMb: number;
  residentSearchedMb: number;
  residentAskedMb: number;
  residentPeakMb: number;
  diskMb: number;
  listening: Spread;
  ready: Spread;
  readyCpu: Spread;
  stopMs: number;
  /** The first search after a start, which loads the vectors. */
  searchCold: Timed;
  overwritePerSecond: number;
  overwriteSet: Timed;
  remove: Timed;
  searchAfterChurn: Timed;
  clearMs: number;
  diskClearedMb: number;
  bare: Bare;
}

export interface Effort {
  sets: number;
  gets: number;
  lists: number;
  starts: number;
  overwrites: number;
}

const NAMESPACE = 'default';
/** Milliseconds after which a daemon that nobody uses has loaded everything. */
const SETTLED_AFTER = 6_000;
/** Queries that are asked as questions. */
const QUESTIONS = 50;

/** Loads a fresh home with so many memories through the HTTP API and times everything that a client may ask. */
export async function measure(
  folder: string,
  { corpus, effort, say }: { corpus: Corpus; effort: Effort; say: (text: string) => void },
): Promise<Measured> {
  const home = join(folder, 'home');
  fs.mkdirSync(home, { mode: 0o700 });
  const fsyncBefore = measureFsync(folder);
  let daemon = await startDaemon(home);
  try {
    await pause(SETTLED_AFTER);
    const residentEmptyMb = residentMb(daemon.pid).now;
    const written = await load(daemon, corpus, { effort, say });
    const residentLoadedMb = residentMb(daemon.pid).now;
    // What is done in the background after a load is over before anything else is measured; how long it takes is told.
    const settling = performance.now();
    await daemon.settled();
    say(`background work went on for ${((performance.now() - settling) / 1000).toFixed(1)} s after the load`);
    const read = await readAll(daemon, corpus, effort);
    say('searching');
    const oneCore = keepOnOneCore(daemon.pid);
    const searched = await searchAll(daemon.call, corpus);
    const resident = residentMb(daemon.pid);
    say('asking');
    await ask(corpus.queries.slice(-QUESTIONS), ({ text }) => daemon.call('/memory/ask', { question: text }));
    const asked = residentMb(daemon.pid);
    const stopMs = await daemon.stop();
    const diskMb = sizeMb(home);
    say('starting');
    const starts = await restart(home, corpus, effort.starts);
    daemon = await startDaemon(home);
    await daemon.settled();
    say('overwriting, deleting, clearing');
    const churned = await churn(daemon, corpus, effort);
    const residentPeakMb = Math.max(asked.peak, residentMb(daemon.pid).peak);
    await daemon.stop();
    const diskClearedMb = sizeMb(home);
    say('bare SQLite');
    const bare = measureBare(folder, corpus.items, corpus.queries);
    return {
      memories: corpus.items.length,
      corpus: corpus.origin,
      oneCore,
      fsyncBefore,
      fsyncAfter: measureFsync(folder),
      ...written,
      ...read,
      ...searched,
      residentEmptyMb,
      residentLoadedMb,
      residentSearchedMb: resident.now,
      residentAskedMb: asked.now,
      residentPeakMb,
      diskMb,
      ...starts,
      stopMs,
      ...churned,
      diskClearedMb,
      bare,
    };
  } finally {
    await daemon.stop();
  }
}

function timedOf(answers: readonly Answer[]): Timed {
  const of = (part: 'clientMs' | 'serverMs' | 'cpuMs' | 'waitMs') => spread(answers.map((one) => one[part]));
  return { client: of('clientMs'), server: of('serverMs'), cpu: of('cpuMs'), wait: of('waitMs') };
}

/** Runs requests one after the other, or some at once. */
async function ask<T>(of: readonly T[], run: (one: T) => ReturnType<Call>, atOnce = 1): Promise<Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < of.length; index = next++) answers[index] = await run(of[index] as T);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return answers;
}

async function time<T>(of: readonly T[], run: (one: T) => ReturnType<Call>, atOnce = 1): Promise<Timed> {
  return timedOf(await ask(of, run, atOnce));
}

interface Rate {
  perSecond: number;
  cpuMs: number;
  waitMs: number;
}

async function inBatches(call: Call, items: Corpus['items'], size: number): Promise<Rate> {
  const batches: Corpus['items'][] = [];
  for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size));
  const answers = await ask(batches, (batch) =>
    call('/memory/store-batch', { items: batch.map((item) => ({ ...item, namespace: NAMESPACE })) }),
  );
  const sum = (of: (answer: Answer) => number) => answers.reduce((total, answer) => total + of(answer), 0);
  return {
    perSecond: items.length / (sum(({ clientMs }) => clientMs) / 1000),
    cpuMs: sum(({ cpuMs }) => cpuMs) / items.length,
    waitMs: sum(({ waitMs }) => waitMs) / items.length,
  };
}

async function load(
  { call }: Daemon,
  { items }: Corpus,
  { effort, say }: { effort: Effort; say: (text: string) => void },
) {
  // The last quarter at most goes in by small batches and one by one, so that those meet a full store.
  const singles = Math.min(effort.sets, Math.floor(items.length / 8));
  const hundreds = Math.min(5000, Math.floor(items.length / 8));
  const first = items.length - singles - hundreds;
  say(`storing ${items.length} memories`);
  const thousands = await inBatches(call, items.slice(0, first), 1000);
  const small = await inBatches(call, items.slice(first, first + hundreds), 100);
  const set = await time(items.slice(first + hundreds), (item) => call('/memory-set', item));
  return {
    batch1000PerSecond: thousands.perSecond,
    batchCpuMs: thousands.cpuMs,
    batchWaitMs: thousands.waitMs,
    batch100PerSecond: small.perSecond,
    set,
  };
}

async function readAll({ call }: Daemon, { items }: Corpus, effort: Effort) {
  const random = randomFrom(3);
  const keys = Array.from({ length: effort.gets }, () => items[Math.floor(random() * items.length)]?.key);
  const get = await time(keys, (key) => call('/memory-get', { key }));
  const near = Array.from({ length: effort.lists }, (_, page) => (page % 10) * 50);
  const list = await time(near, (offset) => call('/memory-list', { offset, preview: 200 }));
  const far = near.map(() => Math.floor(random() * items.length));
  const listDeep = await time(far, (offset) => call('/memory-list', { offset, preview: 200 }));
  return { get, list, listDeep };
}

async function searchAll(call: Call, { queries }: Corpus) {
  const one = ({ text }: { text: string }) => call('/memory-search', { query: text });
  const first = await ask(queries, one);
  const searchAgain = await time(queries, one);
  const searchEightAtOnce = await time(queries, one, 8);
  // Twice: the first time the words of further wordings are counted, too.
  let byTurns: Answer[] = [];
  const asked = queries.flatMap(({ text, wordings }) => [
    { query: text },
    { query: text, queries: wordings },
  ]);
  for (let round = 0; round < 2; round++) byTurns = await ask(asked, (body) => call('/memory-search', body));
  const kinds = [...new Set(queries.map(({ kind }) => kind))];
  const ofKind = (kind: string) => timedOf(first.filter((_, index) => queries[index]?.kind === kind));
  return {
    searchFirst: timedOf(first),
    searchAgain,
    searchEightAtOnce,
    searchAlone: timedOf(byTurns.filter((_, at) => at % 2 === 0)),
    searchWorded: timedOf(byTurns.filter((_, at) => at % 2 === 1)),
    searchByKind: Object.fromEntries(kinds.map((kind) => [kind, ofKind(kind)])),
  };
}

/** Starts on the full home, several times: how long until it listens, and how long its first search takes. */
async function restart(home: string, { queries }: Corpus, times: number) {
  const listening: number[] = [];
  const ready: number[] = [];
  const cpu: number[] = [];
  const cold: Answer[] = [];
  for (let round = 0; round < times; round++) {
    const daemon = await startDaemon(home);
    try {
      listening.push(daemon.listeningMs);
      ready.push(daemon.readyMs);
      cpu.push(daemon.readyCpuMs);
      const query = queries[(round * 31) % queries.length]?.text ?? 'nothing';
      cold.push(await daemon.call('/memory-search', { query }));
    } finally {
      await daemon.stop();
    }
  }
  return {
    listening: spread(listening),
    ready: spread(ready),
    readyCpu: spread(cpu),
    searchCold: timedOf(cold),
  };
}

/** Overwrites a tenth (some thousand at most), deletes some, searches again, clears everything. */
async function churn({ call }: Daemon, { items, queries }: Corpus, effort: Effort) {
  const some = items.filter((_, index) => index % 10 === 3).slice(0, effort.overwrites);
  const changed = some.map((item) => ({ ...item, value: `${item.value} Since then this was written anew.` }));
  const { perSecond } = await inBatches(call, changed, 1000);
  const singles = changed.slice(0, effort.sets).map((item) => ({ ...item, value: `${item.value} Twice.` }));
  const overwriteSet = await time(singles, (item) => call('/memory-set', item));
  const gone = items.filter((_, index) => index % 10 === 7).slice(0, effort.sets);
  const remove = await time(gone, ({ key }) => call('/memory-delete', { key }));
  const searchAfterChurn = await time(queries, ({ text }) => call('/memory-search', { query: text }));
  const { clientMs } = await call('/memory/clear', { namespace: NAMESPACE });
  return {
    overwritePerSecond: perSecond,
    overwriteSet,
    remove,
    searchAfterChurn,
    clearMs: clientMs,
  };
}
