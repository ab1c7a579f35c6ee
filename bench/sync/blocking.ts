import { performance } from 'node:perf_hooks';
import * as encoding from 'lib0/encoding';
import * as Y from 'yjs';
import { call, connect, openRoom, signUp, updateEntry } from '../../cloud/src/testing/device.ts';
import { spawnRelay, temporaryHome } from '../../cloud/src/testing/process.ts';

/**
 * How long the largest things that one account may ask for keep the relay from everybody else: the longest turn of its event loop, and the
 * acknowledgements of a small client meanwhile. `node bench/sync/blocking.ts`
 */
const MB = 1024 * 1024;

/** An update of nothing but deletions, two bytes each. */
function deletions(bytes: number): Uint8Array {
  const out = encoding.createEncoder();
  for (const head of [0, 1, 7, Math.floor(bytes / 2)]) encoding.writeVarUint(out, head);
  for (let n = 0; n < bytes / 2; n += 1) {
    encoding.writeVarUint(out, 1);
    encoding.writeVarUint(out, 1);
  }
  return encoding.toUint8Array(out);
}

/** An update of many small values. */
function values(count: number): Uint8Array {
  const doc = new Y.Doc();
  doc.transact(() => {
    for (let n = 0; n < count; n += 1) doc.getMap('m').set(`k${n}`, n);
  });
  return Y.encodeStateAsUpdate(doc);
}

const { home, remove } = temporaryHome();
const relay = spawnRelay(home, { RELAY_LOG_LEVEL: 'error', RELAY_PROVISIONAL_QUOTA_MB: '4096' });
const origin = await relay.ready;
const large = await signUp(origin, 'large@example.org');
const small = await signUp(origin, 'small@example.org');
const smallRoom = await openRoom(origin, small, 'small');
const device = await connect(origin, small, { incarnation: 'small' });
await device.next('welcome');
let n = 0;

async function lag(): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1] ?? NaN) * 1000;
}

async function measure(what: string, run: () => Promise<unknown>): Promise<void> {
  await lag();
  let going = true;
  const waits: number[] = [];
  const pings = (async () => {
    while (going) {
      n += 1;
      const at = n;
      const since = performance.now();
      device.send({
        type: 'append',
        room: smallRoom,
        epoch: 0,
        incarnation: 'small',
        entries: [updateEntry(at)],
      });
      await device.next('ack', ({ acks }) => acks.some((one) => one.n === at));
      waits.push(performance.now() - since);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const since = performance.now();
  await run();
  const took = performance.now() - since;
  going = false;
  await pings;
  waits.sort((a, b) => a - b);
  const at = (share: number) => (waits[Math.floor((waits.length - 1) * share)] ?? NaN).toFixed(0);
  console.log(
    `${what.padEnd(44)} took ${took.toFixed(0).padStart(6)} ms  longest block ${(await lag()).toFixed(0).padStart(5)} ms  small client p50 ${at(0.5)} p99 ${at(0.99)} max ${at(1)} ms`,
  );
}

const writer = await connect(origin, large, { incarnation: 'large', forgets: false });
await writer.next('welcome');
const room = await openRoom(origin, large, 'large');
let m = 0;
async function append(body: Uint8Array, at = Date.now()): Promise<void> {
  m += 1;
  const own = m;
  const bucket = own % 64;
  writer.send({
    type: 'append',
    room,
    epoch: 0,
    incarnation: 'large',
    entries: [{ kind: 'update', n: own, at, bucket, enc: false, body }],
  });
  const outcome = await Promise.race([
    writer.next('ack', ({ acks }) => acks.some((one) => one.n === own)).then(() => 'taken'),
    writer.next('error', ({ entry }) => entry?.n === own).then(({ code }) => code),
  ]);
  if (outcome !== 'taken') console.log(`  ${outcome}`);
}

await measure('nothing, for a second', () => new Promise((resolve) => setTimeout(resolve, 1000)));
const text = new Y.Doc();
text.getMap('m').set('k', 'x'.repeat(7.9 * MB));
const one = Y.encodeStateAsUpdate(text);
await measure('one text of 7.9 MiB', () => append(one));
const many = values(120_000);
await measure(`120,000 values, ${(many.length / MB).toFixed(1)} MiB`, () => append(many));
const gone = deletions(7.9 * MB);
// More structures than are taken: it is refused.
await measure('4,000,000 deletions, 7.9 MiB, refused', () => append(gone));

const blob = Y.encodeStateAsUpdate(
  (() => {
    const doc = new Y.Doc();
    doc.getMap('m').set('k', 'y'.repeat(1 * MB));
    return doc;
  })(),
);
for (let count = 0; count < Number(process.argv[2] ?? 1024); count += 1) await append(blob);
await measure(`a room of ${m - 3} MiB in entries of 1 MiB is deleted`, () =>
  call(origin, { method: 'DELETE', path: `/rooms/${room}`, key: large.key }),
);
relay.child.kill('SIGTERM');
await relay.ended;
remove();
process.exit(0);
