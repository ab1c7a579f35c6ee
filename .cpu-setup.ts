import { Session } from 'node:inspector';
import { writeFileSync } from 'node:fs';
import { afterAll } from 'vitest';
const session = new Session(); session.connect();
session.post('Profiler.enable'); session.post('Profiler.setSamplingInterval', { interval: 2000 }); session.post('Profiler.start');
afterAll(() => { session.post('Profiler.stop', (_e: any, { profile }: any) => writeFileSync(`/tmp/prof/cpu/${process.pid}-${Date.now()}.cpuprofile`, JSON.stringify(profile))); });
