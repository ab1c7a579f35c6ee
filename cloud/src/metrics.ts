import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What the relay counts; names nobody and nothing of what is carried. */
export interface Metrics {
  connections: Gauge;
  readers: Gauge;
  notes: Gauge;
  entries: Counter<'outcome'>;
  refused: Counter<'code'>;
  closed: Counter<'code'>;
  slowed: Counter;
  batch: Histogram;
  commit: Histogram;
  sentBytes: Counter;
  text(): Promise<{ text: string; type: string }>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const name = (of: string) => `reverie_relay_${of}`;
  return {
    connections: new Gauge({ name: name('connections'), help: 'Open connections of devices', registers }),
    readers: new Gauge({
      name: name('readers'),
      help: 'Rooms that are read, counted for each connection',
      registers,
    }),
    notes: new Gauge({ name: name('notes'), help: 'Connections to shared documents', registers }),
    entries: new Counter({
      name: name('entries_total'),
      help: 'Entries that devices added: stored, known already, or refused by the log',
      labelNames: ['outcome'],
      registers,
    }),
    refused: new Counter({
      name: name('refused_total'),
      help: 'Refusals that were told to devices',
      labelNames: ['code'],
      registers,
    }),
    closed: new Counter({
      name: name('closed_total'),
      help: 'Connections that the relay closed',
      labelNames: ['code'],
      registers,
    }),
    slowed: new Counter({
      name: name('slow_readers_total'),
      help: 'Readers that took too slowly and read the log instead',
      registers,
    }),
    batch: new Histogram({
      name: name('batch_entries'),
      help: 'Entries that waited for the disk together',
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 4096],
      registers,
    }),
    commit: new Histogram({
      name: name('commit_seconds'),
      help: 'How long a batch took to be on disk',
      buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2],
      registers,
    }),
    sentBytes: new Counter({
      name: name('sent_bytes_total'),
      help: 'Bytes of messages to devices',
      registers,
    }),
    text: async () => ({ text: await registry.metrics(), type: registry.contentType }),
  };
}
