/** How texts begin that Codex gives the model in the name of the person. */
const STARTS = [
  '<environment_context>',
  '<user_instructions>',
  '<permissions instructions>',
  '<collaboration_mode>',
  '<subagent_notification>',
  '<turn_aborted>',
  '<user_shell_command>',
  '<user_action>',
  '<skill>',
  '<skills_instructions>',
  '<plugins_instructions>',
  '<apps_instructions>',
  '<hook_prompt',
  '<model_switch>',
  '<personality_spec>',
  '<realtime_conversation>',
  '<INSTRUCTIONS>',
  '# AGENTS.md instructions',
  '# AGENTS.md',
  'The following is the Codex agent history',
];

/** Tells whether a text of the role `user` was put in by Codex. */
export function isInjected(text: string): boolean {
  const start = text.slice(0, 200).trimStart();
  return STARTS.some((known) => start.startsWith(known));
}

const REQUEST = '## My request for Codex:';

/** Returns what a person typed without what an editor put before it. */
export function typedWords(text: string): string {
  if (!text.startsWith('# Context from my IDE setup:')) return text;
  const at = text.indexOf(REQUEST);
  return at === -1 ? text : text.slice(at + REQUEST.length).trim();
}
