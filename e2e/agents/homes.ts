import fs from 'node:fs';
import path from 'node:path';

interface Furnishing {
  /** Where the fake model answers. */
  origin: string;
  /** Our program, whose MCP server and hooks are put in by hand. */
  program?: string;
  /** A folder that every agent may work in. */
  project?: string;
  /** One with a single tool that runs JavaScript, or an earlier one with a tool for each thing. */
  codexModel?: string | undefined;
}

/** What each agent is configured with in a home of its own: the fake model, a dummy key, and what else is asked for. */
export function furnishHome(
  home: string,
  { origin, program, project, codexModel = 'gpt-5.5' }: Furnishing,
): void {
  const write = (file: string, text: string) => {
    const at = path.join(home, file);
    fs.mkdirSync(path.dirname(at), { recursive: true });
    fs.writeFileSync(at, text);
  };
  const writeJson = (file: string, value: object) => write(file, `${JSON.stringify(value, undefined, 4)}\n`);
  const server = { command: program, args: ['mcp'] };
  const hook = (event: string) => [
    { hooks: [{ type: 'command', command: `${program} hook ${event} --agent claude-code`, timeout: 3 }] },
  ];
  const hooks = { SessionStart: hook('start'), UserPromptSubmit: hook('prompt') };
  const servers = program === undefined ? {} : { mcpServers: { reverie: server } };
  writeJson('.claude.json', {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [KEYS['ANTHROPIC_API_KEY']] },
    ...(project !== undefined && { projects: { [project]: { hasTrustDialogAccepted: true } } }),
    ...(program !== undefined && { mcpServers: { reverie: { type: 'stdio', ...server } } }),
  });
  writeJson('.claude/settings.json', { theme: 'dark', ...(program !== undefined && { hooks }) });
  write(
    '.codex/config.toml',
    `# Written by hand.
model = "${codexModel}"
model_provider = "fake"
[model_providers.fake]
name = "fake"
base_url = "${origin}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
${project === undefined ? '' : `[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n`}${
      program === undefined ? '' : `[mcp_servers.reverie]\ncommand = "${program}"\nargs = ["mcp"]\n`
    }`,
  );
  if (program !== undefined) writeJson('.codex/hooks.json', { hooks });
  writeJson('.gemini/settings.json', {
    security: { auth: { selectedType: 'gemini-api-key' } },
    // Else a model is asked first which one is to answer.
    ...(project !== undefined && { model: { name: 'gemini-2.5-pro' } }),
    ...servers,
  });
  writeJson('.config/opencode/opencode.json', {
    model: 'fake/fake-model',
    provider: {
      fake: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${origin}/v1`, apiKey: '{env:FAKE_KEY}' },
        models: { 'fake-model': {} },
      },
    },
    ...(program !== undefined && { mcp: { reverie: { type: 'local', command: [program, 'mcp'] } } }),
  });
  if (project !== undefined) {
    writeJson('.copilot/config.json', { trusted_folders: [project] });
    writeJson('.gemini/trustedFolders.json', { [project]: 'TRUST_FOLDER' });
    writeJson('.pi/agent/settings.json', {
      defaultProvider: 'fake',
      defaultModel: 'fake-model',
      defaultProjectTrust: 'always',
    });
    writeJson('.pi/agent/models.json', {
      providers: {
        fake: {
          baseUrl: `${origin}/v1`,
          api: 'openai-completions',
          apiKey: '$FAKE_KEY',
          models: [{ id: 'fake-model' }],
        },
      },
    });
  }
  if (program !== undefined)
    writeJson('.copilot/mcp-config.json', {
      mcpServers: { reverie: { type: 'local', ...server, tools: ['*'] } },
    });
  writeJson('.qwen/settings.json', {
    security: { auth: { selectedType: 'openai' } },
    // Else it asks for memories and prompts of its own behind each answer.
    ...(project !== undefined && {
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      ui: { enableFollowupSuggestions: false },
    }),
    ...servers,
  });
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
