import * as encoding from 'lib0/encoding';
import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { hasMoreParts, MOST_PARTS } from './update-parts.ts';

/** A document with every kind of content that Yjs writes, of some clients, with deletions. */
function everything(): Uint8Array {
  const docs = [1, 2, 3].map((clientID) => Object.assign(new Y.Doc(), { clientID }));
  for (const doc of docs) {
    const map = doc.getMap<unknown>('map');
    map.set('text', 'value');
    map.set('nothing', undefined);
    map.set('values', [1, -5, 2 ** 40, 1.5, 0.1, null, true, { a: [false, 'b'], c: 10n }]);
    map.set('bytes', new Uint8Array([1, 2, 3]));
    map.set('document', new Y.Doc({ meta: { some: ['options'] } }));
    const list = doc.getArray<unknown>('list');
    list.push(['a', 'b', 'c', new Y.Map([['k', 'v']]), 'd']);
    list.delete(1, 1);
    const text = doc.getText('text');
    text.insert(0, 'hello');
    text.format(0, 2, { bold: true });
    text.insertEmbed(1, { image: 'x' });
    text.delete(2, 1);
    const root = doc.getXmlFragment('xml');
    root.insert(0, [new Y.XmlElement('p'), new Y.XmlText('t'), new Y.XmlHook('hook') as never]);
  }
  const all = new Y.Doc();
  for (const doc of docs) Y.applyUpdate(all, Y.encodeStateAsUpdate(doc));
  all.getMap('map').delete('text');
  return Y.encodeStateAsUpdate(all);
}

/** The same count from what Yjs makes of an update. */
function countOf(update: Uint8Array): number {
  const { structs, ds } = Y.decodeUpdate(update);
  const valuesIn = (value: unknown): number =>
    1 +
    (Array.isArray(value) || value?.constructor === Object
      ? Object.values(value).reduce<number>((sum, one) => sum + valuesIn(one), 0)
      : 0);
  let count = new Set(structs.map(({ id }) => id.client)).size + ds.clients.size + structs.length;
  for (const ranges of ds.clients.values()) count += ranges.length;
  for (const struct of structs) {
    if (!(struct instanceof Y.Item)) continue;
    const { content } = struct;
    if (content instanceof Y.ContentAny) for (const value of content.arr) count += valuesIn(value);
    if (content instanceof Y.ContentDoc) count += valuesIn(content.opts);
  }
  return count;
}

test('counts what Yjs would make of an update, to the last one', () => {
  const update = everything();
  const parts = countOf(update);
  expect(parts).toBeGreaterThan(50);
  expect(update.length).toBeGreaterThan(parts);
  expect([hasMoreParts(update, parts - 1), hasMoreParts(update, parts)]).toEqual([true, false]);
});

test('what ends too early is not taken for an update, wherever it was cut off', () => {
  const update = everything();
  const parts = countOf(update);
  for (let length = parts + 1; length < update.length; length += 1)
    expect(() => hasMoreParts(Uint8Array.from(update.subarray(0, length)), parts)).toThrow();
});

/** An update of nothing but deletions, two bytes each. */
function deletions(count: number): Uint8Array {
  const out = encoding.createEncoder();
  for (const head of [0, 1, 7, count]) encoding.writeVarUint(out, head);
  encoding.writeUint8Array(out, new Uint8Array(2 * count).fill(1));
  return encoding.toUint8Array(out);
}

/** One list whose values take a byte each, and one that holds a list that holds a list… */
function list(inside: (out: encoding.Encoder) => void): Uint8Array {
  const out = encoding.createEncoder();
  for (const head of [1, 1, 7, 0]) encoding.writeVarUint(out, head);
  encoding.writeUint8(out, 8);
  encoding.writeVarUint(out, 1);
  encoding.writeVarString(out, 'm');
  inside(out);
  encoding.writeVarUint(out, 0);
  return encoding.toUint8Array(out);
}

test('millions of the smallest deletions or values are too many, a text of 8 MiB is not', () => {
  const most = 8 * 1024 * 1024;
  expect(hasMoreParts(deletions(most / 2))).toBe(true);
  expect(hasMoreParts(deletions(MOST_PARTS - 1))).toBe(false);
  expect(hasMoreParts(deletions(MOST_PARTS))).toBe(true);
  const values = list((out) => {
    encoding.writeVarUint(out, most);
    encoding.writeUint8Array(out, new Uint8Array(most).fill(126));
  });
  expect(hasMoreParts(values)).toBe(true);
  const doc = new Y.Doc();
  doc.getMap('m').set('k', 'x'.repeat(most));
  expect(hasMoreParts(Y.encodeStateAsUpdate(doc))).toBe(false);
});

test('values that are too deep in one another are not read', () => {
  const deep = list((out) => {
    encoding.writeVarUint(out, 1);
    for (let n = 0; n < 200_000; n += 1) encoding.writeUint8Array(out, new Uint8Array([117, 1]));
  });
  expect(() => hasMoreParts(deep)).toThrow('too deep');
});
