import { isDeepStrictEqual } from 'node:util';
import { isScalar, isSeq } from 'yaml';
import { frontmatterOf } from './frontmatter.ts';
import { type Note, noteOf } from './note.ts';
import {
  addedBlock,
  addedLine,
  applied,
  type Edit,
  flowOf,
  type ListChange,
  listEdits,
  pairsOf,
  shifted,
} from './yaml-edits.ts';

/**
 * Writes tags into the front matter of a note, and changes nothing else of it. Undefined where that cannot be done so: front matter that is
 * damaged, or of a form in which a tag cannot be written alone.
 */
export function withTagLine(
  text: string,
  { add, remove }: { add: string[]; remove: string[] },
): string | undefined {
  const before = noteOf(text, '');
  if (before.problem !== undefined) return undefined;
  const found = frontmatterOf(text);
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const edits = found
    ? editsOf(found.yaml, { add, remove, eol })?.map((edit) => shifted(edit, text.indexOf('\n') + 1))
    : [addedBlock(text, `tags: ${flowOf(add)}`, eol)];
  if (!edits) return undefined;
  const after = applied(text, edits);
  const tags = [...before.tags.filter((tag) => !remove.includes(tag)), ...add];
  return saysOnlyTags(before, noteOf(after, ''), tags) ? after : undefined;
}

/** Tells whether a note differs from what it was before in its tags alone, and has these now. */
function saysOnlyTags(before: Note, after: Note, tags: readonly string[]): boolean {
  const others = ({ fields: { tags: _, tag: __, ...fields } }: Note) => fields;
  return (
    isDeepStrictEqual(after.tags, tags) &&
    before.body.replace(/^\uFEFF/, '') === after.body &&
    isDeepStrictEqual(others(before), others(after))
  );
}

type Change = Omit<ListChange, 'read'>;

function editsOf(yaml: string, change: Change): Edit[] | undefined {
  const pairs = pairsOf(yaml);
  if (!pairs) return undefined;
  const named = (name: string) => pairs.find(({ key }) => isScalar(key) && key.value === name);
  const pair = named('tags') ?? named('tag');
  if (!pair) return [addedLine(yaml, `tags: ${flowOf(change.add)}`, change.eol)];
  const { key, value } = pair;
  if (isSeq(value) && value.range) return listEdits(yaml, value, { ...change, read: tagOf });
  if (!isScalar(key) || !key.range || !(value === null || isScalar(value))) return undefined;
  const tags = noteOf(`---\n${yaml}\n---\n`, '').tags.filter((tag) => !change.remove.includes(tag));
  const list = flowOf([...tags, ...change.add]);
  const isBlank = !isScalar(value) || !value.range || value.range[0] === value.range[1];
  const colon = yaml.indexOf(':', key.range[1]) + 1;
  if (isBlank) return [{ from: colon, to: colon, text: ` ${list}` }];
  return value.range ? [{ from: value.range[0], to: value.range[1], text: list }] : undefined;
}

function tagOf(value: unknown): string {
  return String(value).trim().replace(/^#+/, '');
}
