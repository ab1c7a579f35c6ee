import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { fitNamespace, sha256, textOf } from '../fit.ts';
import { isObject } from '../json/plain-json.ts';
import { filesOf, measureFiles, readFiles, type FileRead } from '../files/note-files.ts';
import { memoriesOfNote, metadataOf, noteOf } from '../notes/note.ts';
import { originOf } from '../files/origin.ts';
import { ImportError, type ReadItem, type SourceReader, type ReadOptions } from '../reader.ts';

/** One project's memory folder; `project` is the name of its folder, which is never taken apart. */
interface MemoryFolder {
  project: string;
  folder: string;
}

function isMemoryFile(path: string): boolean {
  return path.toLowerCase().endsWith('.md');
}

/**
 * The memory folders that a path means: itself, the one of a project (`…/memory`), or those of all projects
 * below `~/.claude/projects` or `~/.claude`.
 */
export async function memoryFolders(path: string): Promise<MemoryFolder[]> {
  const { root, kind } = await originOf(path);
  if (kind === 'file') return [];
  if (basename(root) === 'memory') return [{ project: basename(dirname(root)), folder: root }];
  if (await isFolder(join(root, 'memory')))
    return [{ project: basename(root), folder: join(root, 'memory') }];
  const projects = (await isFolder(join(root, 'projects'))) ? join(root, 'projects') : root;
  const folders: MemoryFolder[] = [];
  for (const project of (await readdir(projects)).sort())
    if (await isFolder(join(projects, project, 'memory')))
      folders.push({ project, folder: join(projects, project, 'memory') });
  if (folders.length > 0) return folders;
  return (await isFile(join(root, 'MEMORY.md'))) ? [{ project: basename(root), folder: root }] : [];
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

async function foldersOrError(path: string): Promise<MemoryFolder[]> {
  const folders = await memoryFolders(path);
  if (folders.length > 0) return folders;
  throw new ImportError(
    `${path} holds no memory of Claude Code; name a memory folder, the folder of a project, or ~/.claude/projects`,
  );
}

/**
 * The auto memory of Claude Code. Each project has a namespace of its own, `claude-code/<project>`; the key is
 * the file's name. MEMORY.md, the index of the others, is taken too, with the type `index`.
 */
export const claudeCodeReader: SourceReader = {
  format: 'claude-code',
  async measure(path) {
    let bytes = 0;
    for (const { folder } of await foldersOrError(path)) bytes += await measureFiles(folder, isMemoryFile);
    return bytes;
  },
  async places(path, options) {
    return (await foldersOrError(path)).map(({ project, folder }) => ({
      kind: 'files',
      root: `claude-code:${namedIn(project, options)}`,
      folder,
    }));
  },
  async *read(path, options) {
    const folders = await foldersOrError(path);
    for (const memory of folders) {
      const files = filesOf({ kind: 'folder', root: memory.folder }, isMemoryFile, options);
      for await (const read of readFiles(files, options)) {
        if (!('kind' in read)) yield* memoriesOfFile(read, memory, options);
        else if (folders.length === 1) yield read;
        else yield { ...read, skipped: { ...read.skipped, path: `${memory.project}/${read.skipped.path}` } };
      }
    }
  },
};

function namedIn(project: string, { sourceName }: ReadOptions): string {
  return sourceName === undefined ? project : `${sourceName}/${project}`;
}

function* memoriesOfFile(
  { path, file }: FileRead,
  { project }: MemoryFolder,
  options: ReadOptions,
): Generator<ReadItem> {
  const note = noteOf(file.text, path);
  const type = path === 'MEMORY.md' ? 'index' : typeOf(note.fields);
  const tags = type === undefined ? note.tags : [...new Set([...note.tags, type])];
  const named = namedIn(project, options);
  const metadata = metadataOf({ ...note, tags }, { format: 'claude-code', path, project });
  yield* memoriesOfNote(note, file, {
    path: `${project}/${path}`,
    // Every project has a MEMORY.md: in one namespace the project tells them apart.
    key: options.namespace === undefined ? path : `${project}/${path}`,
    namespace: options.namespace ?? fitNamespace(`claude-code/${project}`),
    metadata: { ...metadata, ...(type !== undefined && { type }) },
    source: { id: `claude-code:${named}/${path}`, hash: sha256(file.bytes) },
  });
}

/** `user`, `feedback`, `project`, `reference`, or what else the file says, at the top or below `metadata`. */
function typeOf(fields: JsonObject): string | undefined {
  const inner = fields['metadata'];
  return textOf(fields['type']) ?? (isObject(inner) ? textOf(inner['type']) : undefined);
}
