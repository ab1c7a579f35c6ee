import fs from 'node:fs';
import { Namespace } from '@reverie/shared/contract/fields';
import { ModelAddress } from '@reverie/shared/contract/system/models';
import { inPlainWords, REQUIRED } from '@reverie/shared/contract/plain-words';
import {
  DreamBudget,
  DreamSchedule,
  Region,
  Theme,
  TimeZone,
  TrashDays,
} from '@reverie/shared/contract/system/settings';
import { z } from 'zod';
import { Refusal } from '../platform/home/home.ts';
import { logLevels } from '../platform/log.ts';

const list = z.array(z.string().min(1));
const OPENAI_COMPATIBLE = 'Of an OpenAI-compatible server, such as http://127.0.0.1:11434/v1 of Ollama';
const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
};
const tokenLimit = (what: string) => whole(0, 1e9).optional().describe(`${what}; no limit where omitted`);
const port = whole(0, 65_535);
/** Ports that browsers refuse to open, and Node's `fetch` with them (https://fetch.spec.whatwg.org/#port-blocking). */
const BAD_PORTS = new Set(
  (
    '1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 ' +
    '123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 ' +
    '989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  )
    .split(' ')
    .map(Number),
);

/**
 * Every setting, once. Each is read from `config.json`, then from a variable (`webhooks.retry_min_ms` is
 * `REVERIE_WEBHOOKS_RETRY_MIN_MS`), then from a flag; the later one wins.
 */
export const Config = z.strictObject({
  host: z
    .string()
    .min(1, 'must be an address or a name')
    .default('127.0.0.1')
    .describe('Address to listen on; with 127.0.0.1 also ::1'),
  port: port
    .refine((given) => !BAD_PORTS.has(given), 'must be another one: browsers open no page at this port')
    .default(7337)
    .describe('0 picks a free one'),
  allow_remote: z
    .boolean()
    .default(false)
    .describe('Insist on plain http beyond loopback; keys and memories are then readable on the network'),
  public_url: z
    .url({ protocol: /^https?$/ })
    .transform((given) => given.replace(/\/+$/, ''))
    .optional()
    .describe('Where people reach this server, for links in mails; its own address where omitted'),
  allowed_hosts: list.default([]).describe('Further names (with port) that requests may ask for'),
  tls: z
    .strictObject({ cert: z.string(), key: z.string() })
    .optional()
    .describe('Files in PEM; turn on https and wss'),
  cors: z
    .strictObject({ origins: z.array(z.url()).default([]) })
    .prefault({})
    .describe('Foreign pages that may call the API'),
  log: z.strictObject({ level: z.enum(logLevels).default('info') }).prefault({}),
  limits: z
    .strictObject({
      requests_per_day: whole(1, 1e12).default(100_000_000).describe("Of the machine's own account"),
      anonymous_per_hour: whole(1, 1e9).default(10_000).describe('Requests without a valid key, by address'),
      wrong_keys_per_second: whole(1, 1e9)
        .default(100)
        .describe('Keys that do not work, by address; further ones wait a second for a 429'),
      enterprise_requests_per_day: whole(1, 1e12).default(100_000_000),
    })
    .prefault({}),
  history: z
    .strictObject({
      max_versions: whole(0, 10_000).default(50).describe('Earlier versions that are kept of a memory'),
      max_days: whole(1, 36_500).default(365),
    })
    .prefault({}),
  trash: z
    .strictObject({
      days: TrashDays.default(30).describe('Days after which what is in the trash is deleted for good'),
    })
    .prefault({}),
  thoughts: z
    .strictObject({
      namespace: Namespace.default('default').describe(
        'Where the page keeps a thought written down in passing',
      ),
    })
    .prefault({}),
  page: z
    .strictObject({
      theme: Theme.default('system').describe('How the page looks: system, light or dark'),
      region: Region.optional().describe(
        'Whose English way to write dates and times the page follows, such as en-GB; as the browser where omitted',
      ),
      time_zone: TimeZone.optional().describe('Of times in the page; that of the browser where omitted'),
    })
    .prefault({}),
  recalls: z
    .strictObject({
      days: whole(0, 3650)
        .default(90)
        .describe('Days for which is kept which memories were put before agents; 0 keeps nothing'),
    })
    .prefault({}),
  events: z.strictObject({ retention_days: whole(1, 3650).default(30) }).prefault({}),
  webhooks: z
    .strictObject({
      retry_min_ms: whole(1, 86_400_000).default(60_000).describe('Wait before the first of 5 retries'),
      retry_max_ms: whole(1, 604_800_000).default(3_600_000).describe('Wait before the last retry'),
      timeout_ms: whole(100, 60_000).default(10_000).describe('A receiver has to answer within this time'),
      retention_days: whole(1, 3650).default(30).describe('Days that the delivery log is kept'),
    })
    .refine(({ retry_min_ms, retry_max_ms }) => retry_min_ms <= retry_max_ms, {
      path: ['retry_max_ms'],
      error: 'must not be less than webhooks.retry_min_ms',
    })
    .prefault({}),
  trust_proxy: z
    .boolean()
    .default(false)
    .describe('Take the address of a caller from X-Forwarded-For; only behind a proxy that sets it'),
  embedding: z
    .strictObject({
      base_url: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe(OPENAI_COMPATIBLE),
      model: z.string().min(1).optional().describe('Name of the embedding model there'),
      timeout_ms: whole(100, 600_000).default(10_000).describe('Of one request'),
      tokens_per_day: tokenLimit('Vectors take so many; new texts then wait for the next UTC day'),
      tokens_per_month: tokenLimit('Vectors take so many; new texts then wait for the next UTC month'),
      batch: whole(1, 2048).default(64).describe('Texts in one request'),
    })
    .refine(({ base_url, model }) => (base_url === undefined) === (model === undefined), {
      path: ['model'],
      error: 'embedding.base_url and embedding.model are set together or not at all',
    })
    .prefault({}),
  llm: z
    .strictObject({
      base_url: ModelAddress.optional().describe(
        `${OPENAI_COMPATIBLE}; or the command of a coding agent, which \`reverie models use\` sets after a consent`,
      ),
      model: z.string().min(1).optional().describe('Name of the language model there'),
      timeout_ms: whole(100, 600_000)
        .default(20_000)
        .describe('An answer without the model is given after it'),
      tokens_per_day: tokenLimit('Questions take so many; they are then answered without it'),
      tokens_per_month: tokenLimit('Questions of a UTC month take so many'),
      for_signed_up: z
        .boolean()
        .default(false)
        .describe('Whether agents that signed up are answered with it, too; the sandbox never is'),
    })
    .refine(({ base_url, model }) => (base_url === undefined) === (model === undefined), {
      path: ['model'],
      error: 'llm.base_url and llm.model are set together or not at all',
    })
    .prefault({}),
  models: z
    .strictObject({
      ports: z
        .array(z.coerce.number('must be a number').pipe(whole(1, 65_535)))
        .default([11_434, 1234, 8080, 8000])
        .describe('Ports of this machine where model servers are looked for, when somebody asks for them'),
    })
    .prefault({}),
  dream: z
    .strictObject({
      schedule: DreamSchedule.default('off').describe(
        'When each changed namespace dreams, in local time; `off` or such as 03:30',
      ),
      budget_tokens: DreamBudget.default(200_000).describe(
        'Tokens of the language model that one dream may take',
      ),
      sheet_tokens: whole(1_000, 200_000)
        .optional()
        .describe('Tokens of notes that it reads at once; where omitted 24,000, and less on this machine'),
      llm: z
        .strictObject({
          base_url: ModelAddress.optional().describe('Of another server than llm.base_url, for dreams alone'),
          model: z.string().min(1).optional().describe('Name of the language model there'),
          off: z.boolean().default(false).describe('Dreams use no language model, whatever llm.model is'),
          timeout_ms: whole(100, 600_000)
            .optional()
            .describe(
              'Of one sheet of a dream; 5 minutes where omitted, or llm.timeout_ms where that is longer',
            ),
          tokens_per_day: tokenLimit('All dreams of a UTC day take so many together'),
          tokens_per_month: tokenLimit('All dreams of a UTC month take so many together'),
        })
        .refine(({ base_url, model }) => (base_url === undefined) === (model === undefined), {
          path: ['model'],
          error: 'dream.llm.base_url and dream.llm.model are set together or not at all',
        })
        .prefault({}),
    })
    .prefault({}),
  mail: z
    .strictObject({
      from: z.string().min(1).max(200).default('Reverie <reverie@localhost>'),
      smtp: z
        .strictObject({
          host: z.string().min(1).optional().describe('Without it each mail is written into outbox/'),
          port: port.default(587),
          secure: z.boolean().default(false).describe('TLS from the first byte (port 465); else STARTTLS'),
          user: z.string().min(1).optional().describe('Its password is a secret: `reverie secret set smtp`'),
        })
        .prefault({}),
    })
    .prefault({}),
  signup: z
    .strictObject({ enabled: z.boolean().default(true).describe('Whether agents may sign up by e-mail') })
    .prefault({}),
  sandbox: z
    .strictObject({ enabled: z.boolean().default(true).describe('Whether the public sandbox key works') })
    .prefault({}),
});
export type Config = z.infer<typeof Config>;

/** Settings as they stand in `config.json`. */
export type Tree = { [name: string]: unknown };

/** Where a setting came from, for the message that refuses it. */
interface Given {
  from: string;
  value: unknown;
}

/** The dotted names of all settings with their schemas, such as `history.max_versions`. */
export function settings(schema: z.ZodType = Config, prefix = ''): { name: string; schema: z.ZodType }[] {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodObject)) return [{ name: prefix, schema }];
  return Object.entries(inner.shape).flatMap(([name, field]) =>
    settings(field as z.ZodType, prefix === '' ? name : `${prefix}.${name}`),
  );
}

function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema;
}

/** The variable of a setting. */
export function variableOf(name: string): string {
  return `REVERIE_${name.replaceAll('.', '_').toUpperCase()}`;
}

export interface ConfigSources {
  /** Path of `config.json`; it may be missing. */
  file: string;
  env: NodeJS.ProcessEnv;
  /** By dotted name. */
  flags: Readonly<Record<string, string>>;
}

/** Resolves all settings. Throws `Refusal` naming the wrong setting, its value and what is allowed. */
export function resolveConfig(sources: ConfigSources): Config {
  return resolveTree(readConfigFile(sources.file), sources);
}

/** Resolves all settings as if `config.json` said this. */
export function resolveTree(content: Tree, { file, env, flags }: ConfigSources): Config {
  const known = new Map(settings().map(({ name, schema }) => [name, schema]));
  const given = new Map<string, Given>();
  for (const [name, value] of Object.entries(flatten(content, known))) given.set(name, { from: file, value });
  for (const [name, schema] of known) {
    const text = env[variableOf(name)];
    if (text !== undefined)
      given.set(name, { from: `the variable ${variableOf(name)}`, value: fromText(text, schema) });
  }
  for (const [name, text] of Object.entries(flags)) {
    const schema = known.get(name);
    if (!schema)
      throw new Refusal(`There is no setting ${name}. The settings are: ${[...known.keys()].join(', ')}.`);
    given.set(name, { from: 'the command line', value: fromText(text, schema) });
  }
  const tree: Tree = {};
  for (const [name, { value }] of given) put(tree, name.split('.'), value);
  const parsed = Config.safeParse(tree, { error: inPlainWords });
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => {
        const name = [...issue.path, key].join('.');
        return `There is no setting ${name} (from ${given.get(name)?.from ?? file}). The settings are: ${[...known.keys()].join(', ')}.`;
      });
    const name = issue.path.join('.');
    // An entry of a list is named, and the list's value shown.
    const from = given.get(name) ?? given.get(issue.path.slice(0, -1).join('.'));
    const value = from ? ` is ${JSON.stringify(from.value)} (from ${from.from}):` : ':';
    return `The setting ${name || '(all)'}${issue.message === REQUIRED ? '' : value} ${issue.message}`;
  });
  throw new Refusal(`${lines.join('\n')}\nChange it and start again.`);
}

/** What stands in `config.json`; nothing where it is missing. Throws `Refusal` where it is no JSON object. */
export function readConfigFile(file: string): Tree {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (cause) {
    // ENOTDIR: the home itself is a file, which is refused by that name in a moment.
    if (['ENOENT', 'ENOTDIR'].includes(String((cause as NodeJS.ErrnoException).code))) return {};
    throw new Refusal(`The settings in ${file} cannot be read: ${(cause as Error).message}`, cause);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new Refusal(
      `The settings in ${file} are not JSON: ${(cause as Error).message}. Mend or remove the file.`,
      cause,
    );
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Refusal(`The settings in ${file} are not a JSON object. Mend or remove the file.`);
  return parsed as Tree;
}

/** A tree as dotted names; what is not a known setting is kept, so that the schema refuses it by name. */
function flatten(tree: Tree, known: ReadonlyMap<string, unknown>, prefix = ''): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(tree)) {
    const full = prefix === '' ? name : `${prefix}.${name}`;
    const isGroup = [...known.keys()].some((setting) => setting.startsWith(`${full}.`));
    if (isGroup && typeof value === 'object' && value !== null && !Array.isArray(value))
      Object.assign(flat, flatten(value as Tree, known, full));
    else flat[full] = value;
  }
  return flat;
}

/** A setting from text: numbers, `true` and `false`, lists with commas, else the text itself. */
export function fromText(text: string, schema: z.ZodType): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodNumber) {
    const number = Number(text);
    return text.trim() === '' || Number.isNaN(number) ? text : number;
  }
  if (inner instanceof z.ZodBoolean)
    return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
  if (inner instanceof z.ZodArray)
    return text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  return text;
}

/** Sets one setting of a tree by the parts of its name. */
export function put(tree: Tree, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (rest.length === 0) {
    tree[name] = value;
    return;
  }
  const inner = (tree[name] ??= {});
  put(inner as Tree, rest, value);
}
