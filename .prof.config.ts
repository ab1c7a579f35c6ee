import base from './vitest.config.ts';
import { defineConfig } from 'vitest/config';
export default defineConfig((env) => { const c = (base as any)(env); c.test.setupFiles = ['./.cpu-setup.ts', ...c.test.setupFiles]; return c; });
