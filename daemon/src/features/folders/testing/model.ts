import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@reverie/shared/contract/fields';

export const NOTES = 'notes';
/** The namespace of the followed folder and of what is imported, and another one. */
export const SPACES = [NOTES, 'elsewhere'];

interface Address {
  namespace: string;
  key: string;
}
interface Modelled extends Address {
  value: string;
  metadata: JsonObject;
  version: number;
  isTrashed: boolean;
}
/** What a source brought, what it said then, and the version that the memory had then. Its name is the key that it brings. */
interface Source {
  by: 'import' | 'file';
  name: string;
}
interface Brought extends Source {
  memory: Modelled;
  said: string;
  version: number;
  isGone: boolean;
}

const idOf = ({ by, name }: Source) => `${by}/${name}`;
const file = (name: string): Source => ({ by: 'file', name });
/** A note says where it came from, an item of an import nothing more than its value. */
const metadataOf = ({ by, name }: Source): JsonObject =>
  by === 'import' ? {} : { imported: { format: 'markdown', path: name }, title: name.replace('.md', '') };
const untagged = ({ tags: _, ...others }: JsonObject): JsonObject => others;
/** What a source says, with the tags that the person gave: these sources say none themselves. */
const withTags = (metadata: JsonObject, { metadata: { tags } }: Modelled): JsonObject => ({
  ...metadata,
  ...(tags !== undefined && { tags }),
});
const isAt = (memory: Modelled, { namespace, key }: Address) =>
  memory.namespace === namespace && memory.key === key;

export type Model = ReturnType<typeof createModel>;

/**
 * Memories as a person understands them, by the rules of decisions 0034 and 0035: what is shown under which key, what is in the trash,
 * and what a source that says something new does.
 */
export function createModel() {
  let here: Modelled[] = [];
  /** The last one first. */
  let trash: Modelled[] = [];
  const brought = new Map<string, Brought>();
  /** Sources whose memories were deleted for good. */
  const deleted = new Set<string>();
  /** What the files say, by name. */
  const files = new Map<string, string>();
  /** On which text of each file was agreed last; it stays so where a change was not taken. */
  const agreed = new Map<string, string>();
  const find = (at: Address) => here.find((one) => isAt(one, at));

  /** Stores a value; metadata that are not said are none. */
  function write(at: Address, value: string, metadata: JsonObject = {}): Modelled {
    const { namespace, key } = at;
    let memory = find(at);
    if (!memory) here.push((memory = { namespace, key, value, metadata, version: 0, isTrashed: false }));
    else if (memory.value === value && isDeepStrictEqual(memory.metadata, metadata)) return memory;
    const { version } = memory;
    const isOnlyTagged =
      memory.value === value && isDeepStrictEqual(untagged(memory.metadata), untagged(metadata));
    // A tag is no edit of what a source said.
    if (isOnlyTagged)
      for (const one of brought.values())
        if (one.memory === memory && one.version === version) one.version = version + 1;
    return Object.assign(memory, { value, metadata, version: version + 1 });
  }

  function throwAway(memory: Modelled): void {
    here = here.filter((one) => one !== memory);
    memory.isTrashed = true;
    trash.unshift(memory);
  }

  function takeBack(memory: Modelled): void {
    trash = trash.filter((one) => one !== memory);
    memory.isTrashed = false;
    here.push(memory);
  }

  /** Deleted for good: what brought it does not bring it again, unless it was gone already. */
  function forget(memory: Modelled): void {
    here = here.filter((one) => one !== memory);
    trash = trash.filter((one) => one !== memory);
    for (const [id, one] of brought) {
      if (one.memory !== memory) continue;
      brought.delete(id);
      if (!one.isGone) deleted.add(id);
    }
  }

  function agree(source: Source, memory: Modelled, said: string): void {
    const { by, name } = source;
    deleted.delete(idOf(source));
    brought.set(idOf(source), { by, name, memory, said, version: memory.version, isGone: false });
  }

  /** What an import of one item does. */
  function bring({ value, ...source }: Source & { value: string }, restore = false): string {
    const at = { namespace: NOTES, key: source.name };
    const metadata = metadataOf(source);
    const known = brought.get(idOf(source));
    const own = known?.memory.isTrashed === false ? known.memory : undefined;
    if (known && own && known.said === value) {
      known.isGone = false;
      return 'unchanged';
    }
    const memory = own ?? find(at);
    if (memory) {
      const said = known ? withTags(metadata, memory) : metadata;
      const isSame = memory.value === value && isDeepStrictEqual(memory.metadata, said);
      if (!isSame && (!own || known?.version !== memory.version)) return 'kept';
      agree(source, write(memory, value, said), value);
      return isSame ? 'unchanged' : 'updated';
    }
    if (known) {
      if (!restore && !known.isGone) return 'deleted_here';
      if (find(known.memory)) return 'kept';
      takeBack(known.memory);
      agree(source, write(known.memory, value, withTags(metadata, known.memory)), value);
      return 'restored';
    }
    const wasDeleted = deleted.has(idOf(source));
    if (wasDeleted && !restore) return 'deleted_here';
    agree(source, write(at, value, metadata), value);
    return wasDeleted ? 'restored' : 'created';
  }

  /** A file says something new: an import, and what was written here with the same text agrees with it. */
  function land(name: string, value: string): string {
    const memory = find({ namespace: NOTES, key: name });
    if (memory?.value === value && brought.get(`file/${name}`)?.version !== memory.version) {
      agree(file(name), memory, value);
      return 'unchanged';
    }
    return bring({ ...file(name), value });
  }

  /** A file is gone: its memory goes with it, unless it was changed here. */
  function remove(name: string): void {
    const id = `file/${name}`;
    const known = brought.get(id);
    deleted.delete(id);
    agreed.delete(name);
    if (!known) return;
    const { memory, version } = known;
    const isAsBrought = memory.version === version && isAt(memory, { namespace: NOTES, key: name });
    if (!memory.isTrashed && !isAsBrought) return void brought.delete(id);
    known.isGone = true;
    if (!memory.isTrashed) throwAway(memory);
  }

  /** A file has another name: its memory is renamed with it, unless that was done here or the name is taken. */
  function move(from: string, to: string): void {
    const known = brought.get(`file/${from}`);
    agreed.delete(from);
    if (!known && deleted.has(`file/${from}`)) return void deleted.add(`file/${to}`);
    const isAsBrought =
      known && !known.memory.isTrashed && isAt(known.memory, { namespace: NOTES, key: from });
    if (!known || (isAsBrought && find({ namespace: NOTES, key: to }))) return remove(from);
    if (isAsBrought) known.memory.key = to;
    brought.delete(`file/${from}`);
    brought.set(`file/${to}`, { ...known, ...file(to), said: '', isGone: false });
  }

  /** One look at the folder. */
  function lookOnce(): void {
    const gone = [...agreed.keys()].filter((name) => !files.has(name));
    for (const [name, text] of [...files].sort()) {
      if (agreed.get(name) === text) continue;
      const from = agreed.has(name) ? undefined : gone.find((one) => agreed.get(one) === text);
      if (from !== undefined) move(from, name);
      const outcome = land(name, text);
      const isTaken = outcome !== 'kept' && outcome !== 'deleted_here';
      const isNew = !agreed.has(name);
      if (isTaken || from !== undefined || (isNew && outcome === 'deleted_here')) agreed.set(name, text);
    }
    for (const name of gone) if (agreed.has(name)) remove(name);
  }

  return {
    files,
    write,
    bring,
    /** As many looks as change something. */
    look(): void {
      const state = () => JSON.stringify([here, trash, [...agreed]]);
      for (let before = ''; before !== state();) {
        before = state();
        lookOnce();
      }
    },
    rename(from: Address, to: Address): number {
      const memory = find(from);
      if (!memory) return 404;
      if (isAt(memory, to)) return 200;
      if (find(to)) return 409;
      Object.assign(memory, { namespace: to.namespace, key: to.key });
      return 200;
    },
    tag(at: Address, tag: string): number {
      const memory = find(at);
      if (!memory) return 404;
      const { tags = [], ...others } = memory.metadata as { tags?: string[] };
      if (!tags.includes(tag)) write(at, memory.value, { ...others, tags: [...tags, tag] });
      return 200;
    },
    trash(at: Address): number {
      const memory = find(at);
      if (memory) throwAway(memory);
      return memory ? 200 : 404;
    },
    restore(at: Address): number {
      const memory = trash.find((one) => isAt(one, at));
      if (!memory) return 404;
      if (find(at)) return 409;
      takeBack(memory);
      return 200;
    },
    delete(at: Address): number {
      const memory = find(at);
      if (memory) forget(memory);
      return memory ? 200 : 404;
    },
    empty(namespace: string): void {
      for (const memory of trash) if (memory.namespace === namespace) forget(memory);
    },
    clear(namespace: string): void {
      for (const memory of [...trash, ...here]) if (memory.namespace === namespace) forget(memory);
    },
    /** Imports of these names are gone: a memory goes with the last of its sources, unless it was changed here. */
    prune(names: readonly string[]): { pruned: string[]; kept: string[] } {
      const done = { pruned: [] as string[], kept: [] as string[] };
      const isNamed = ({ by, name }: Source) => by === 'import' && names.includes(name);
      const due = names.flatMap((name) => {
        const known = brought.get(`import/${name}`);
        return known && !known.isGone && !known.memory.isTrashed ? [known.memory] : [];
      });
      for (const memory of new Set(due)) {
        const all = [...brought.values()].filter((one) => one.memory === memory);
        const isElsewhere = all.some((one) => !one.isGone && !isNamed(one));
        const isAsBrought = all.some(
          ({ name, version }) => version === memory.version && isAt(memory, { namespace: NOTES, key: name }),
        );
        if (!isElsewhere && !isAsBrought) {
          done.kept.push(memory.key);
          continue;
        }
        for (const one of all) if (isNamed(one)) one.isGone = true;
        if (isElsewhere) continue;
        done.pruned.push(memory.key);
        throwAway(memory);
      }
      return done;
    },
    /** What is here, what is in the trash, and the text of each file that was agreed on, by its hash. */
    shown(hash: (text: string) => string): unknown {
      const told = (all: readonly Modelled[]) =>
        all.map(({ namespace, key, value, metadata }) => [namespace, key, value, metadata]).sort();
      return {
        here: told(here),
        trash: told(trash),
        agreed: [...agreed].map(([name, text]) => [name, hash(text)]).sort(),
      };
    },
  };
}
