import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Refusal } from '../platform/home/home.ts';
import { temporaryFolder } from '../testing.ts';
import { createSettings } from './settings-file.ts';

let temporary: { folder: string; remove: () => void };
let file: string;
beforeEach(() => {
  temporary = temporaryFolder();
  file = path.join(temporary.folder, 'config.json');
});
afterEach(() => temporary.remove());

const content = (): unknown => JSON.parse(fs.readFileSync(file, 'utf8'));

describe('changing settings', () => {
  test('keeps all others, however they are written, and leaves no empty group', () => {
    fs.writeFileSync(file, '{"llm.model": "a", "llm": {"base_url": "http://127.0.0.1:1/v1"}, "port": 8001}');
    const settings = createSettings({ file, env: {}, flags: {} });
    expect(settings.read().llm.model).toBe('a');
    expect(settings.sourceOf('llm.model')).toBe('file');
    expect(settings.change({ 'llm.model': 'b', 'dream.llm.off': true })).toMatchObject({
      port: 8001,
      llm: { model: 'b' },
      dream: { llm: { off: true } },
    });
    expect(content()).toEqual({
      llm: { base_url: 'http://127.0.0.1:1/v1', model: 'b' },
      port: 8001,
      dream: { llm: { off: true } },
    });
    settings.change({ 'llm.model': undefined, 'llm.base_url': undefined, 'dream.llm.off': undefined });
    expect(content()).toEqual({ port: 8001 });
  });

  test('writes nothing that would not be taken at the next start', () => {
    fs.writeFileSync(file, '{"port": 8001}');
    const settings = createSettings({ file, env: {}, flags: {} });
    expect(() => settings.change({ 'llm.model': 'b' })).toThrow(Refusal);
    expect(content()).toEqual({ port: 8001 });
    const left = fs.readdirSync(temporary.folder).filter((name) => name !== 'config.json.lock.db');
    expect(left).toEqual(['config.json']);
  });

  test('says what sets one: a flag before a variable, that before the file', () => {
    fs.writeFileSync(file, '{"port": 8001, "log": {"level": "info"}, "host": "127.0.0.1"}');
    const env = { REVERIE_PORT: '8002', REVERIE_LOG_LEVEL: 'warn' };
    const settings = createSettings({ file, env, flags: { port: '8003' } });
    expect(['port', 'log.level', 'host', 'llm.model'].map(settings.sourceOf)).toEqual([
      'flag',
      'variable',
      'file',
      'default',
    ]);
    expect(settings.describe('log.level')).toBe('the variable REVERIE_LOG_LEVEL');
  });

  test.skipIf(process.platform === 'win32')('leaves a file that is a link one', () => {
    const elsewhere = path.join(temporary.folder, 'dotfiles.json');
    fs.writeFileSync(elsewhere, '{}');
    fs.symlinkSync(elsewhere, file);
    createSettings({ file, env: {}, flags: {} }).change({ port: 8001 });
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
    expect(JSON.parse(fs.readFileSync(elsewhere, 'utf8'))).toEqual({ port: 8001 });
  });
});
