import fs from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { Problem } from '@reverie/shared/contract/problems';
import { codeOf } from '../../db/failures.ts';
import { isOfSystem } from '@reverie/memory-formats/files/walk';

/** Whether one path is the other, or lies below it. */
export function isWithin(folder: string, inner: string): boolean {
  const below = path.relative(folder, inner);
  return below === '' || (below.split(path.sep)[0] !== '..' && !path.isAbsolute(below));
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function refused(given: string, why: string): Problem {
  const message = `${JSON.stringify(given)} ${why}`;
  return new Problem('invalid_request', `path: ${message}`, { errors: [{ path: 'path', message }] });
}

/** The real path of a folder that may be followed. Throws `invalid_request`, and `conflict` where it meets another one. */
export async function checkRoot(
  given: string,
  { home, others }: { home: string; others: readonly { id: string; path: string }[] },
): Promise<string> {
  if (!path.isAbsolute(given)) throw refused(given, 'is not absolute; name the folder from the root on');
  let root: string;
  try {
    root = await realpath(given);
    if (isOfSystem(root)) throw refused(given, 'is of the system, and holds no notes; name another folder');
    if (!fs.statSync(root).isDirectory()) throw refused(given, 'is a file; name the folder that it lies in');
    await readdir(root);
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    const isMissing = codeOf(cause) === 'ENOENT';
    throw refused(
      given,
      isMissing ? 'is not there; make the folder first' : `cannot be read: ${messageOf(cause)}`,
    );
  }
  if (path.dirname(root) === root) throw refused(given, 'is everything on this disk; name a folder of notes');
  const realHome = fs.realpathSync(home);
  if (isWithin(root, realHome) || isWithin(realHome, root))
    throw refused(given, `holds, or lies in, the home of Reverie (${home}); name another folder`);
  const met = others.find((other) => isWithin(root, other.path) || isWithin(other.path, root));
  if (met)
    throw new Problem(
      'conflict',
      `${root} and ${met.path}, which is followed already (${met.id}), hold the same files; stop following that one first`,
    );
  return root;
}

/** How the folder itself is: there, or the reason why nothing may be concluded from what is missing in it. */
export type RootState = { kind: 'there'; isEmpty: boolean } | { kind: 'away'; reason: string };

/** Looks whether a folder is there and can be read. */
export async function lookAtRoot(root: string): Promise<RootState> {
  try {
    // Another folder may lie at the end of a link that took its place.
    if ((await realpath(root)) !== root)
      return { kind: 'away', reason: `${root} is a link to another folder now` };
    return { kind: 'there', isEmpty: (await readdir(root)).length === 0 };
  } catch (error) {
    const code = codeOf(error);
    return {
      kind: 'away',
      reason:
        code === 'ENOENT' || code === 'ENOTDIR'
          ? `${root} is not there; its disk may not be connected`
          : `${root} cannot be read: ${messageOf(error)}`,
    };
  }
}
