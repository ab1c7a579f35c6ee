import { z } from 'zod';
import { Namespace, Value } from './fields.ts';
import { route } from './route.ts';

const tag = 'agents';

/** Anchors of one memory at most: what needs more is about no place in the code. */
export const MOST_ANCHORS = 16;

const PATH =
  'a path from the root of its repository, with slashes, without `..`, `.git` or control characters';
const NO_PATH = /[\\\u0000-\u001f\u007f-\u009f]/;
const NO_PART = new Set(['', '.', '..', '.git']);

/** A file of a repository, as an anchor names it. */
export const AnchorPath = z
  .string()
  .max(1024, { error: `is longer than 1,024 characters; allowed: ${PATH}` })
  .refine((path) => !NO_PATH.test(path) && !path.split('/').some((part) => NO_PART.has(part.toLowerCase())), {
    error: `must be ${PATH}`,
  });

const Lines = z.string().regex(/^[1-9]\d{0,6}(?:-[1-9]\d{0,6})?$/, {
  error: 'must be a line or a range of lines, such as `40-58`',
});

/** What a memory is about in the code, as it was when it was written. */
export const Anchor = z
  .strictObject({
    path: AnchorPath.describe(`The file: ${PATH}`),
    lines: Lines.optional().describe('`40-58`, from 1; missing for the whole file'),
    symbol: z.string().min(1).max(200).optional().describe('What is defined in these lines'),
    hash: z
      .string()
      .regex(/^\d{1,7}:[0-9a-f]{8}:[0-9a-f]{32}$/, { error: 'must be a hash that `POST /anchors` answered' })
      .optional()
      .describe(
        'Of the lines, else of the file, whatever white space means nothing. Missing where the memory only names the file: then it is told when that is gone',
      ),
    blob: z
      .string()
      .regex(/^[0-9a-f]{40}$/, { error: 'must be the 40 hexadecimal digits of a blob' })
      .optional()
      .describe("Git's hash of the file"),
    commit: z
      .string()
      .regex(/^[0-9a-f]{7,64}$/, { error: 'must be 7 to 64 hexadecimal digits of a commit' })
      .optional()
      .describe('At HEAD'),
  })
  .meta({ id: 'Anchor' });
export type Anchor = z.infer<typeof Anchor>;

/** `metadata.anchors` of a memory. */
export const Anchors = z
  .array(Anchor, { error: 'must be a list of anchors, as `POST /anchors` answers them' })
  .max(MOST_ANCHORS, { error: `has more than ${MOST_ANCHORS} anchors` });

/** What became of the code that a memory is anchored to. */
export const anchorStates = ['same', 'moved', 'changed', 'gone', 'unchecked'] as const;

/** An anchor, and what became of its code since. */
export const AnchorNow = z
  .object({
    path: z.string(),
    lines: z.string().optional().describe('As they were'),
    symbol: z.string().optional(),
    state: z
      .enum(anchorStates)
      .describe(
        '`same`: it stands there as it did; `moved`: it stands elsewhere, see `path_now` and `lines_now`; `changed`: it does not stand there any more; `gone`: the file does not; `unchecked`: the repository is not known on this machine, or could not be read in time',
      ),
    path_now: z.string().optional().describe('Where the file was renamed'),
    lines_now: z.string().optional().describe('Where the lines stand now, or what defines the symbol now'),
    commit: z
      .string()
      .optional()
      .describe('Where it changed: the last commit that touched the file since; missing where none did yet'),
  })
  .meta({ id: 'AnchorNow' });
export type AnchorNow = z.infer<typeof AnchorNow>;

/** Says in a few words what became of the code that a memory is anchored to. */
export function anchorWords({ path, lines, symbol, state, path_now, lines_now, commit }: AnchorNow): string {
  const place = `${path}${lines === undefined ? '' : `:${lines}`}${symbol === undefined ? '' : ` (${symbol})`}`;
  const lines_there =
    lines_now === undefined ? '' : path_now === undefined ? `lines ${lines_now}` : `:${lines_now}`;
  const now = `${path_now ?? ''}${lines_there}`;
  switch (state) {
    case 'same':
      return `${place} is as it was`;
    case 'moved':
      return `${place} is at ${now} now`;
    case 'changed':
      return `the code has changed since: ${place}${now === '' ? '' : `, see ${now}`}${commit === undefined ? '' : `, last in ${commit}`}`;
    case 'gone':
      return `the file is gone since, or renamed: ${place}`;
    case 'unchecked':
      return `not checked here: ${place}`;
  }
}

/** Says of the anchors of a memory what a reader has to know; undefined where all is as it was. */
export function anchorsWarning(anchors: readonly AnchorNow[] = []): string | undefined {
  const told = anchors.filter(({ state }) => state !== 'same').map(anchorWords);
  return told.length === 0 ? undefined : told.join('; ');
}

const Folder = z
  .string()
  .min(1, { error: 'is empty; allowed: a folder of this machine' })
  .max(4096, { error: 'must be at most 4096 characters' });

export const readAnchors = route({
  id: 'anchors_read',
  method: 'POST',
  path: '/anchors',
  scope: 'write',
  reach: { can: ['set'], refused: ['body.namespace'] },
  tag,
  summary: 'Read what the code says where a memory is to be anchored',
  description:
    'Answers anchors for `metadata.anchors` of a memory of this namespace, whose repository has to be known on this machine: by `folder`, by a hook or by `POST /anchors/folder`. Hashes leave, never what files say; nothing is read outside of the repository, in `.git`, through links, of what Git ignores, or of more than 1 MiB.',
  body: z
    .strictObject({
      namespace: Namespace,
      folder: Folder.optional().describe('Where who asks works: paths may be relative to it'),
      places: z
        .array(z.string().min(1).max(1300))
        .max(MOST_ANCHORS, { error: `has more than ${MOST_ANCHORS} places` })
        .default([])
        .describe('`src/retry.ts:40-58`, `src/retry.ts#retryPolicy` or a whole file, `src/retry.ts`'),
      value: Value.optional().describe(
        'What the memory says: files that it names, and symbols of them in back-ticks, are anchored to beside the places',
      ),
    })
    .meta({ id: 'ReadAnchors' }),
  status: 200,
  response: z.object({ anchors: z.array(Anchor) }),
  problems: [],
});

export const nameFolder = route({
  id: 'anchors_folder',
  method: 'POST',
  path: '/anchors/folder',
  scope: 'read',
  reach: 'nothing',
  tag,
  summary: 'Say where the code of a project lies on this machine',
  description:
    'Anchors of memories in the namespace of the project are checked there from then on; the last folder that was named counts. It is not synced. Only keys of this machine’s own account may call it.',
  body: z.strictObject({ folder: Folder }),
  status: 200,
  response: z.object({
    namespace: z.string().nullable().describe('Of the project; null where the folder is in none'),
  }),
  problems: [],
});
