import { z } from 'zod';
import { AttachmentLeftOut } from './attachments.ts';
import { DateTime, NamespaceOrDefault, TrueOrFalse } from '../fields.ts';
import { route } from '../route.ts';

const tag = 'folders';
const scope = 'owner';

/** The formats of folders that are followed, by the names that import takes. */
export const folderFormats = [
  'markdown',
  'logseq',
  'jsonl',
  'csv',
  'claude-code',
  'agent-files',
  'basic-memory',
  'mem0',
  'chatgpt',
  'okf',
  'notion',
  'apple-notes',
] as const;
export type FolderFormat = (typeof folderFormats)[number];

/** `in`: files become memories. `both`: what is edited here is written into the files, too. */
export const folderSyncs = ['in', 'both'] as const;

const FolderState = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('watching') }),
    z.object({
      kind: z.literal('catching_up').describe('What happened while it was not watched is being read'),
      done: z.int(),
      of: z.int(),
    }),
    z.object({
      kind: z
        .literal('paused')
        .describe('Nothing is changed until its reason is gone; looked at each second'),
      reason: z.string(),
    }),
    z.object({
      kind: z
        .literal('holding')
        .describe(
          'Most of its files are gone at once while the folder stands: their memories stay until the files are there again, or `folders_prune` says that they are meant to be gone. What is written there is taken meanwhile; nothing is written into files',
        ),
      gone: z.int(),
      of: z.int(),
      files: z.array(z.string()).describe('A few of those that are gone'),
    }),
  ])
  .meta({ id: 'FolderState' });
export type FolderState = z.infer<typeof FolderState>;

/** Why a file is not a memory, or not what its memory says. `path` is relative to the folder. */
const FolderIssue = z
  .object({
    path: z.string(),
    reason: z
      .enum([
        ...['empty', 'binary', 'not_utf8', 'unreadable', 'malformed', 'too_large', 'link', 'expired'],
        ...[
          'duplicate',
          'no_note',
          'refused',
          'kept',
          'deleted_here',
          'conflict',
          'frontmatter',
          'attachment',
        ],
      ] as const)
      .describe(
        '`kept`: its memory was edited here since, and stays as it is. `deleted_here`: its memory was deleted or renamed here. `conflict`: both were edited, and the file won; history has the other. `refused`: the memory was not stored, as `detail` says. `frontmatter`: the text was taken whole, but not all that its frontmatter says. `attachment`: a picture or PDF was not stored',
      ),
    detail: z.string(),
  })
  .meta({ id: 'FolderIssue' });
export type FolderIssue = z.infer<typeof FolderIssue>;

export const Folder = z
  .object({
    id: z.string().describe('`fld_` and a ULID'),
    path: z.string().describe('Absolute, with links resolved'),
    namespace: z.string(),
    format: z.enum(folderFormats),
    prune: z.boolean(),
    sync: z.enum(folderSyncs),
    created_at: DateTime,
    state: FolderState,
    memories: z.int().describe('Memories that have a file, or a record of one, there'),
    last_change_at: DateTime.nullable().describe('When something was taken over last'),
    issues: z.array(FolderIssue).describe('At most 200; `issues_total` says how many there are'),
    issues_total: z.int(),
  })
  .meta({ id: 'Folder' });
export type Folder = z.infer<typeof Folder>;

const FolderPath = z
  .string({ error: 'must be the absolute path of a folder, such as /home/ada/notes' })
  .min(1, 'is empty; must be the absolute path of a folder, such as /home/ada/notes')
  .max(4096, 'is longer than 4096 characters')
  .refine((path) => !path.includes('\0'), 'has a NUL character, which no path has');

export const addFolder = route({
  id: 'folders_add',
  method: 'POST',
  path: '/folders',
  scope,
  tag,
  summary: 'Follow a folder: its files are memories from now on',
  description:
    "With the owner key of this machine's account. What is written, renamed or removed there is so here within a second, and after a restart what happened meanwhile. A memory that was edited here since is kept and named. `.gitignore` and `.reverieignore` are respected, links are not followed. A folder that vanishes or is suddenly empty pauses, and where most of its files are gone at once, their memories are held back.",
  body: z
    .strictObject({
      path: FolderPath,
      namespace: NamespaceOrDefault,
      format: z
        .enum(folderFormats)
        .optional()
        .describe(
          'Found out where it is clear, as import does. `agent-files` takes AGENTS.md, CLAUDE.md and the rules of Cursor below a project, and nothing else',
        ),
      prune: TrueOrFalse.default(true).describe('Moves the memories of files that were removed to the trash'),
      sync: z
        .enum(folderSyncs)
        .default('in')
        .describe(
          '`both` (markdown, logseq and agent-files only, with the namespace to itself): memories whose key is the path of a note are written into their files; a file whose memory was deleted or trashed here goes to `.reverie-trash` in the folder',
        ),
    })
    .meta({ id: 'AddFolder' }),
  status: 201,
  response: Folder,
  problems: ['forbidden_scope', 'conflict'],
});

export const takeFolderAttachments = route({
  id: 'folders_attachments',
  method: 'POST',
  weight: 'heavy',
  path: '/folders/attachments',
  scope,
  tag,
  summary: 'Store the pictures and PDFs of a folder whose notes were imported',
  description:
    "With the owner key of this machine's account. Those that notes of the namespace name are stored in the home (25 MiB each, 4 GiB in all), and what was left out is named; a folder that is followed does so by itself. Nothing outside of the folder is read, and links are not followed.",
  body: z
    .strictObject({ path: FolderPath, namespace: NamespaceOrDefault })
    .meta({ id: 'TakeFolderAttachments' }),
  status: 200,
  response: z.object({
    stored: z.int(),
    unchanged: z.int(),
    left: z.array(AttachmentLeftOut).describe('At most 1,000; `left_total` says how many there are'),
    left_total: z.int(),
  }),
  problems: ['forbidden_scope', 'disk_full'],
});

export const listFolders = route({
  id: 'folders_list',
  method: 'GET',
  path: '/folders',
  scope,
  tag,
  summary: 'Folders that are followed, and how that goes',
  status: 200,
  response: z.object({ folders: z.array(Folder) }),
  problems: ['forbidden_scope'],
});

export const pruneFolder = route({
  id: 'folders_prune',
  method: 'POST',
  path: '/folders/{id}/prune',
  scope,
  tag,
  summary: 'Move the memories of files that are gone at once to the trash',
  description:
    'Where most files of a folder, or all, are gone at once, their memories are held back (`holding`, or `paused` where the folder is empty): this says that the files are meant to be gone. 409 where nothing is held back.',
  params: z.strictObject({ id: z.string() }),
  status: 200,
  response: Folder,
  problems: ['forbidden_scope', 'folder_not_found', 'conflict'],
});

export const removeFolder = route({
  id: 'folders_remove',
  method: 'DELETE',
  path: '/folders/{id}',
  scope,
  tag,
  summary: 'Stop following a folder; its files and its memories stay',
  params: z.strictObject({ id: z.string() }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['forbidden_scope', 'folder_not_found'],
});
