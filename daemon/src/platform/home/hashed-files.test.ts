import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { hashedFiles, type HashedFiles, isSound, lendFiles } from './hashed-files.ts';

let temporary: { folder: string; remove: () => void };
let files: HashedFiles;
beforeEach(() => {
  temporary = temporaryFolder();
  files = hashedFiles(at('files'));
});
afterEach(() => {
  vi.restoreAllMocks();
  temporary.remove();
});
const at = (name: string) => path.join(temporary.folder, name);
const wanted = { bytes: 1_000_000, head: 16, begins: () => true };

test('a file that changes while it is read is not taken, and nothing of it is left', async () => {
  fs.writeFileSync(at('a'), Buffer.alloc(900_000, 1));
  const copying = files.copy(at('a'), wanted);
  fs.appendFileSync(at('a'), 'more');
  expect(await copying).toEqual({ kind: 'changed' });
  expect(fs.readdirSync(files.folder)).toEqual([]);
});

test('one that grows without end is not read to its end', async () => {
  fs.writeFileSync(at('a'), Buffer.alloc(900_000, 1));
  const copying = files.copy(at('a'), wanted);
  fs.truncateSync(at('a'), 2_000_000_000);
  expect(await copying).toEqual({ kind: 'changed' });
  expect(fs.readdirSync(files.folder)).toEqual([]);
});

test('on a full disk nothing is left, and the failure says what it is', async () => {
  fs.writeFileSync(at('a'), 'bytes');
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  vi.spyOn(fs, 'renameSync').mockImplementation(() => {
    throw full;
  });
  const copied = await files.copy(at('a'), wanted);
  if (copied.kind !== 'copied') throw new Error(copied.kind);
  expect(() => copied.place()).toThrow(full);
  copied.discard();
  expect(fs.readdirSync(files.folder)).toEqual([]);
});

test('what is lent stays when it is removed, and what is damaged is told', async () => {
  fs.writeFileSync(at('a'), 'bytes');
  const copied = await files.copy(at('a'), wanted);
  if (copied.kind !== 'copied') throw new Error(copied.kind);
  copied.place();
  expect(lendFiles(files, at('beside'))).toBe(1);
  expect(lendFiles(files, at('beside'))).toBe(0);
  files.remove(copied.hash);
  expect(files.hashes()).toEqual([]);
  const beside = hashedFiles(at('beside'));
  expect(isSound(beside, copied.hash)).toBe(true);
  fs.writeFileSync(beside.fileOf(copied.hash), 'other');
  expect(isSound(beside, copied.hash)).toBe(false);
});
