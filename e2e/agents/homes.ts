import fs from 'node:fs';
import path from 'node:path';

/** What each agent is configured with in a home of its own: the fake model, a dummy key, and our MCP server and hooks. */
export function furnishHome(home: string, { origin, program }: { origin: string; program: string }): void {
  const write = (file: string, text: string) => {
    const at = path.join(home, file);
    fs.mkdirSync(path.dirname(at), { recursive: true });
    fs.writeFileSync(at, text);
  };
  const server = { command: program, args: ['mcp'] };
  const hook = (event: string) => [
    { hooks: [{ type: 'command', command: `${program} hook ${event} --agent claude-code`, timeout: 3 }] },
  ];
  const hooks = { SessionStart: hook('start'), UserPromptSubmit: hook('prompt') };
  write('.claude.json', JSON.stringify({ mcpServers: { reverie: { type: 'stdio', ...server } } }));
  write('.claude/settings.json', JSON.stringify({ hooks }));
  write(
    '.codex/config.toml',
    `model = "gpt-5.5"
model_provider = "fake"
[model_providers.fake]
name = "fake"
base_url = "${origin}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[mcp_servers.reverie]
command = "${program}"
args = ["mcp"]
`,
  );
  write('.codex/hooks.json', JSON.stringify({ hooks }));
  write(
    '.gemini/settings.json',
    JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      mcpServers: { reverie: server },
    }),
  );
  write(
    '.config/opencode/opencode.json',
    JSON.stringify({
      model: 'fake/fake-model',
      provider: {
        fake: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${origin}/v1`, apiKey: '{env:FAKE_KEY}' },
          models: { 'fake-model': {} },
        },
      },
      mcp: { reverie: { type: 'local', command: [program, 'mcp'] } },
    }),
  );
  write(
    '.copilot/mcp-config.json',
    JSON.stringify({ mcpServers: { reverie: { type: 'local', ...server, tools: ['*'] } } }),
  );
  write(
    '.qwen/settings.json',
    JSON.stringify({ security: { auth: { selectedType: 'openai' } }, mcpServers: { reverie: server } }),
  );
}

/** The variables that point each agent at the fake model. */
export function pointedAt(origin: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: origin,
    GOOGLE_GEMINI_BASE_URL: origin,
    OPENAI_BASE_URL: `${origin}/v1`,
    OPENAI_MODEL: 'fake-model',
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_BASE_URL: `${origin}/v1`,
    COPILOT_MODEL: 'gpt-5.5',
  };
}

/** The keys, none of which is one. */
export const KEYS: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: 'sk-ant-dummy',
  FAKE_KEY: 'dummy',
  GEMINI_API_KEY: 'dummy',
  OPENAI_API_KEY: 'dummy',
  COPILOT_PROVIDER_API_KEY: 'dummy',
};
