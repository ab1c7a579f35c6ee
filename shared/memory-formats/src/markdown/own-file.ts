import { PortableMemory } from '@reverie/shared/contract/memories/portable';
import { fitSourceId } from '../fit.ts';
import { isObject } from '../json/plain-json.ts';
import { hashOfRecord } from '../draft.ts';
import { parseYaml } from '../notes/frontmatter.ts';

/** The first line of the frontmatter of a memory that Reverie wrote; the number is that of the form. */
const MARK = 'reverie: 1';

const FIELDS = ['key', 'namespace', 'created_at', 'updated_at', 'expires_at', 'metadata'] as const;

const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** JSON on one line that is YAML too, so that other programs can read the frontmatter. */
function jsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A memory as a Markdown file: what it is in the frontmatter, its value below, byte for byte. */
export function ownFileOf(memory: PortableMemory): string {
  const lines = FIELDS.flatMap((name) =>
    memory[name] === undefined ? [] : [`${name}: ${jsonLine(memory[name])}`],
  );
  return ['---', MARK, ...lines, '---', memory.value].join('\n');
}

/** Tells whether a file begins as those that Reverie writes, also when an editor added a mark or changed line endings. */
export function isOwnFile(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 32)).toString('latin1');
  return /^(?:\xef\xbb\xbf)?---\r?\nreverie: 1\r?\n/.test(start);
}

type OwnFile = { memory: PortableMemory; problem?: undefined } | { memory?: undefined; problem: string };

/** Reads back what `ownFileOf` wrote; frontmatter that was edited since is read as YAML. */
export function readOwnFile(text: string): OwnFile {
  const opening = /^\uFEFF?---\r?\nreverie: 1(\r?\n)/.exec(text);
  if (!opening) return { problem: 'is not a file that Reverie wrote' };
  const closing = /\r?\n---(?:\r?\n|$)/g;
  // The newline before the closing line may be the one that ends the marker.
  closing.lastIndex = opening[0].length - (opening[1]?.length ?? 0);
  const found = closing.exec(text);
  if (!found) return { problem: 'its frontmatter does not end' };
  const fields = fieldsOf(text.slice(opening[0].length, Math.max(opening[0].length, found.index)));
  if ('problem' in fields) return { problem: fields.problem };
  const { reverie: _, source: __, ...given } = fields.given;
  const parsed = PortableMemory.safeParse({ ...given, value: text.slice(closing.lastIndex) });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { problem: `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not valid'}`.trim() };
  }
  return { memory: parsed.data };
}

type Given = { given: Record<string, unknown> } | { problem: string };

function fieldsOf(frontmatter: string): Given {
  const exact = exactFieldsOf(frontmatter);
  if (exact) return { given: exact };
  const parsed = parseYaml(frontmatter);
  return parsed.fields ? { given: parsed.fields } : { problem: parsed.problem };
}

/** Each line as `name: JSON`, as it was written; undefined where one was edited into something else. */
function exactFieldsOf(frontmatter: string): Record<string, unknown> | undefined {
  const given: Record<string, unknown> = {};
  for (const line of frontmatter.split('\n')) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(': ');
    const name = line.slice(0, Math.max(colon, 0));
    if (!FIELDS.some((field) => field === name)) return undefined;
    try {
      given[name] = JSON.parse(line.slice(colon + 2)) as unknown;
    } catch {
      return undefined;
    }
  }
  return isObject(given) ? given : undefined;
}

/** The source of a memory that is read from an export: the same for every form of the export. */
export function withOwnSource(memory: PortableMemory): PortableMemory {
  const id = fitSourceId(`reverie:${memory.namespace}/${memory.key}`);
  return { ...memory, source: { id, hash: hashOfRecord({ ...memory, metadata: memory.metadata ?? {} }) } };
}
