import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { writePrivateFile } from './home.ts';

test('a private file that cannot be put in its place leaves no draft with the secret beside it', () => {
  const { folder, remove } = temporaryFolder();
  try {
    const file = path.join(folder, 'acc_1.eml');
    fs.mkdirSync(file);
    expect(() => writePrivateFile(file, 'token=secret')).toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/);
    expect(fs.readdirSync(folder)).toEqual(['acc_1.eml']);
    writePrivateFile(path.join(folder, 'acc_2.eml'), 'token=secret');
    expect(fs.statSync(path.join(folder, 'acc_2.eml')).mode & 0o777).toBe(0o600);
  } finally {
    remove();
  }
});
