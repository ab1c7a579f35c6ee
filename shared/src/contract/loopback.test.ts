import { expect, it } from 'vitest';
import { isLoopback } from './loopback.ts';

it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])('%s is this machine', (host) => {
  expect(isLoopback(host)).toBe(true);
});

it.each([
  '',
  '0.0.0.0',
  '::',
  '127.example.org',
  '127.0.0.1.example.org',
  'localhost.example.org',
  '192.168.1.2',
])('%s may be another one', (host) => {
  expect(isLoopback(host)).toBe(false);
});
