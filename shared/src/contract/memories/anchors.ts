import { z } from 'zod';
import { type JsonObject, Namespace, Value } from '../fields.ts';
import { Problem } from '../problems.ts';
import { route } from '../route.ts';

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

/** Throws `invalid_request` where metadata of a request has anchors of another shape; `field` is where it stands. The page has no need of it. */
export function refuseWrongAnchors({ anchors }: JsonObject = {}, field = 'metadata'): void {
  const issues = anchors === undefined ? [] : (Anchors.safeParse(anchors).error?.issues ?? []);
  const errors = issues.map(({ path, message }) => ({
    path: [field, 'anchors', ...path].join('.'),
    message,
  }));
  const [first] = errors;
  if (first) throw new Problem('invalid_request', `${first.path}: ${first.message}`, { errors });
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
    'Answers anchors for `metadata.anchors` of a memory of this namespace, whose repository has to be known on this machine: by `folder`, by a hook or by `POST /anchors/folder`. Where such a memory is told, `anchors` of get, search and ask say what became of each: `same`; `moved`, to `path_now` and `lines_now`; `changed`, last in `commit` if that is known; `gone`; or `unchecked`, where the repository is not known or was not read in time, or Git ignores the file. Hashes leave, never what files say; nothing is read outside of the repository, in `.git`, through links, of what Git ignores, or of more than 1 MiB. Metadata with `anchors` of another shape is refused by set and batch.',
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
