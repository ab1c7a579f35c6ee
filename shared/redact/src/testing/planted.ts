import {
  BASE64,
  BASE64_URL,
  chanceOf,
  DIGITS,
  drawn,
  HEX,
  LETTERS_AND_DIGITS,
  LOWER,
  UPPER,
} from './chance.ts';

/** A text with a secret in it that must not survive. */
export interface Planted {
  kind: string;
  place: string;
  secret: string;
  text: string;
}

/** A secret and a line in which somebody has it. */
interface Line {
  secret: string;
  line: string;
}

type Chance = () => number;
type Kind = readonly [kind: string, make: (chance: Chance) => Line];

const letters = (chance: Chance, count: number) => drawn(chance, LETTERS_AND_DIGITS, count);
const dashed = (chance: Chance, count: number) => drawn(chance, BASE64_URL, count);
const hex = (chance: Chance, count: number) => drawn(chance, HEX, count);
const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function named(secret: string, before: string, behind = ''): Line {
  return { secret, line: before + secret + behind };
}

function privateKey(chance: Chance, what: string): Line {
  const lines = Array.from({ length: 12 }, () => drawn(chance, BASE64, 64));
  const body = `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${drawn(chance, BASE64, 32)}\n${lines.join('\n')}`;
  const line = `-----BEGIN ${what}PRIVATE KEY-----\n${body}\n-----END ${what}PRIVATE KEY-----`;
  return { secret: body, line };
}

/** Kinds of the first half: the rules were made with them in sight. */
const FIRST: readonly Kind[] = [
  ['aws secret', (c) => named(drawn(c, BASE64, 40), 'aws_secret_access_key = ')],
  ['aws id', (c) => named(`AKIA${drawn(c, `${UPPER}234567`, 16)}`, 'key id ')],
  ['github', (c) => named(`ghp_${letters(c, 36)}`, 'git clone https://', '@github.com/acme/api.git')],
  ['github fine', (c) => named(`github_pat_${letters(c, 22)}_${letters(c, 59)}`, 'export GH_TOKEN=')],
  ['gitlab', (c) => named(`glpat-${dashed(c, 20)}`, 'PRIVATE-TOKEN: ')],
  ['npm', (c) => named(`npm_${letters(c, 36)}`, '//registry.npmjs.org/:_authToken=')],
  ['pypi', (c) => named(`pypi-AgEIcHlwaS5vcmc${dashed(c, 150)}`, 'twine upload -p ')],
  ['openai', (c) => named(`sk-proj-${dashed(c, 74)}T3BlbkFJ${dashed(c, 74)}`, 'OPENAI_API_KEY=')],
  ['anthropic', (c) => named(`sk-ant-api03-${dashed(c, 93)}AA`, 'x-api-key: ')],
  ['slack', (c) => named(`xoxb-${drawn(c, DIGITS, 12)}-${drawn(c, DIGITS, 12)}-${letters(c, 24)}`, 'token ')],
  ['stripe', (c) => named(`sk_live_${letters(c, 24)}`, 'stripe.api_key = "', '"')],
  ['sendgrid', (c) => named(`SG.${dashed(c, 22)}.${dashed(c, 43)}`, 'mail key ')],
  ['google', (c) => named(`AIza${dashed(c, 35)}`, 'https://maps.example.org/js?key=')],
  [
    'jwt',
    (c) =>
      named(
        `${json({ alg: 'HS256', typ: 'JWT' })}.${json({ sub: letters(c, 12), iat: 17e8 })}.${dashed(c, 43)}`,
        'cookie has ',
      ),
  ],
  ['private key', (c) => privateKey(c, 'RSA ')],
  ['address', (c) => named(`${letters(c, 14)}9x`, 'postgres://app:', '@db.internal.acme.dev:5432/app')],
  ['bearer', (c) => named(dashed(c, 40), 'Authorization: Bearer ')],
  ['password', (c) => named(`${letters(c, 9)}!7${letters(c, 3)}`, 'DB_PASSWORD=')],
  ['random', (c) => named(letters(c, 44), 'and then use ')],
  ['reverie', (c) => named(`rv_live_${letters(c, 38)}`, 'reverie key ')],
];

/** Kinds of the second half: written before the rules were run on it, and not looked at while they were changed. */
const SECOND: readonly Kind[] = [
  [
    'azure storage',
    (c) =>
      named(
        `${drawn(c, BASE64, 86)}==`,
        'DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=',
        ';EndpointSuffix=core.windows.net',
      ),
  ],
  [
    'telegram',
    (c) =>
      named(`${drawn(c, DIGITS, 10)}:AA${dashed(c, 33)}`, 'https://api.telegram.org/bot', '/sendMessage'),
  ],
  ['discord hook', (c) => named(dashed(c, 68), `https://discord.com/api/webhooks/${drawn(c, DIGITS, 18)}/`)],
  [
    'slack hook',
    (c) =>
      named(
        `T${drawn(c, UPPER + DIGITS, 8)}/B${drawn(c, UPPER + DIGITS, 8)}/${letters(c, 24)}`,
        'curl https://hooks.slack.com/services/',
      ),
  ],
  ['hugging face', (c) => named(`hf_${drawn(c, LOWER + UPPER, 34)}`, 'huggingface-cli login --token ')],
  ['docker', (c) => named(`dckr_pat_${dashed(c, 27)}`, 'echo ', ' | docker login --password-stdin')],
  ['digitalocean', (c) => named(`dop_v1_${hex(c, 64)}`, 'doctl auth init -t ')],
  ['shopify', (c) => named(`shpat_${hex(c, 32)}`, 'X-Shopify-Access-Token: ')],
  ['twilio', (c) => named(hex(c, 32), 'TWILIO_AUTH_TOKEN=')],
  ['databricks', (c) => named(`dapi${hex(c, 32)}`, 'databricks host=https://acme token=')],
  ['vault', (c) => named(`hvs.${dashed(c, 95)}`, 'VAULT_TOKEN=')],
  ['tailscale', (c) => named(`tskey-auth-${letters(c, 17)}-${letters(c, 32)}`, 'tailscale up --authkey=')],
  ['age', (c) => named(`AGE-SECRET-KEY-1${drawn(c, UPPER + DIGITS, 58)}`, '')],
  ['ec key', (c) => privateKey(c, 'EC ')],
  ['openssh key', (c) => privateKey(c, 'OPENSSH ')],
  ['mongo', (c) => named(`${letters(c, 11)}$k4`, 'mongodb+srv://svc:', '@cluster0.ab1cd.mongodb.net/prod')],
  [
    'basic',
    (c) => named(Buffer.from(`deploy:${letters(c, 18)}`).toString('base64'), 'Authorization: Basic '),
  ],
  ['yaml password', (c) => named(`${letters(c, 8)}#${letters(c, 4)}2`, '  password: "', '"')],
  ['curl user', (c) => named(`${letters(c, 12)}1z`, 'curl -u admin:', ' https://ci.acme.dev/job')],
  ['random url-safe', (c) => named(dashed(c, 48), 'session handle ')],
];

/** Kinds of the third part: written when the rules were done with the second half. */
const THIRD: readonly Kind[] = [
  ['groq', (c) => named(`gsk_${letters(c, 52)}`, "os.environ['GROQ_API_KEY'] = '", "'")],
  ['linear', (c) => named(`lin_api_${letters(c, 40)}`, 'Authorization: ')],
  ['notion', (c) => named(`ntn_${drawn(c, DIGITS, 11)}${letters(c, 35)}`, 'notion token: ')],
  ['figma', (c) => named(`figd_${dashed(c, 40)}`, 'X-Figma-Token: ')],
  ['grafana', (c) => named(`glsa_${letters(c, 32)}_${hex(c, 8)}`, 'grafana: ')],
  ['new relic', (c) => named(`NRAK-${drawn(c, UPPER + DIGITS, 27)}`, 'newrelic key is ')],
  ['openrouter', (c) => named(`sk-or-v1-${hex(c, 64)}`, 'curl -H "Authorization: Bearer ', '"')],
  ['hex key', (c) => named(hex(c, 40), 'DATADOG_API_KEY: "', '"')],
  ['jwt secret', (c) => named(dashed(c, 32), 'JWT_SECRET=')],
  [
    'redis',
    (c) => named(`p${letters(c, 24)}3`, 'redis://default:', '@redis-12.c1.eu-west.cloud.acme.dev:6379'),
  ],
  ['amqp', (c) => named(`${letters(c, 15)}8`, 'amqp://svc:', '@mq:5672/vhost')],
  [
    'json password',
    (c) => named(`${letters(c, 7)}&${letters(c, 4)}5%`, '{"user": "ada", "password": "', '"}'),
  ],
  ['python', (c) => named(`${letters(c, 20)}4`, "client = Client(api_key='", "')")],
  ['xml', (c) => named(`${letters(c, 13)}6!`, '<password>', '</password>')],
  ['netrc', (c) => named(`${letters(c, 16)}2`, 'machine git.acme.dev login ada password ')],
  ['cookie', (c) => named(dashed(c, 36), 'Cookie: theme=dark; session=')],
  [
    'query',
    (c) => named(letters(c, 32), 'GET https://api.acme.dev/v1/items?limit=5&access_token=', '&page=2'),
  ],
  ['pgp key', (c) => privateKey(c, 'PGP ')],
  ['said', (c) => named(`${letters(c, 10)}?9`, 'the password is ')],
  ['flag', (c) => named(`${letters(c, 14)}7`, 'deploy --token ', ' --region eu')],
];

type Place = readonly [place: string, put: (line: Line, chance: Chance) => string];

/** The line with its secret cut somewhere in the middle. */
function cut({ secret, line }: Line, chance: Chance, by: string): string {
  const at = line.indexOf(secret) + Math.floor(secret.length * (0.35 + chance() * 0.3));
  return line.slice(0, at) + by + line.slice(at);
}

const lined = (text: string, mark: string) =>
  text
    .split('\n')
    .map((row) => mark + row)
    .join('\n');

const FIRST_PLACES: readonly Place[] = [
  [
    'prose',
    ({ line }) =>
      `I looked at the settings and they say ${line}\nwhich is what the deploy job reads. Shall I go on?`,
  ],
  [
    'tool output',
    ({ line }) => `$ env | sort\nPATH=/usr/bin:/bin\n\u001b[32m${line}\u001b[0m\nSHELL=/bin/zsh\nexit 0`,
  ],
  ['diff', ({ line }) => `@@ -1,3 +1,4 @@\n import x from './x.ts';\n${lined(line, '+')}\n-const a = 1;`],
  ['json', ({ line }) => JSON.stringify({ command: `cat <<EOF > .env\n${line}\nEOF`, timeout: 1000 })],
  [
    'base64',
    ({ line }) => `config: ${Buffer.from(`# settings\n${line}\nEND=1\n`).toString('base64')}\nkind: Secret`,
  ],
  ['file name', ({ line }) => `notes/${line.replaceAll('\n', ' ')}.txt`],
  ['wrapped', (line, chance) => `The output was:\n${cut(line, chance, '\n')}\nnpm run build`],
  ['shell', (line, chance) => `run \\\n  ${cut(line, chance, '\\\n')} \\\n  --now`],
  [
    'wrapped diff',
    (line, chance) => `@@ -0,0 +1,9 @@\n+${cut(line, chance, '\n').replaceAll('\n', '\n+')}\n+done`,
  ],
  ['json string', (line, chance) => JSON.stringify({ output: cut(line, chance, '\n') })],
];

const SECOND_PLACES: readonly Place[] = [
  [
    'answer',
    ({ line }) =>
      `**Found it.** The value in \`ops/prod.env\` is:\n\n\`\`\`\n${line}\n\`\`\`\n\nI will not print it again.`,
  ],
  [
    'numbered file',
    ({ line }) =>
      line
        .split('\n')
        .map((row, at) => `${String(at + 12).padStart(6)}→${row}`)
        .join('\n'),
  ],
  [
    'removed in a diff',
    ({ line }) => `--- a/.env\n+++ b/.env\n@@ -4 +4 @@\n${lined(line, '-')}\n+# moved to the vault`,
  ],
  ['json in json', ({ line }) => JSON.stringify({ type: 'tool', input: JSON.stringify({ content: line }) })],
  [
    'base64 at 76',
    ({ line }) =>
      `${Buffer.from(`${'lorem ipsum dolor '.repeat(4)}\n${line}\n`)
        .toString('base64')
        .replaceAll(/(.{76})/gu, '$1\n')}\n-- \nend`,
  ],
  ['path', ({ line }) => `wrote 2 files: /tmp/out/${line.replaceAll('\n', '_')}.log, /tmp/out/ok.log`],
  ['two strings', (line, chance) => `const value = "${cut(line, chance, '" +\n  "')}";`],
  [
    'numbered and cut',
    (line, chance) =>
      cut(line, chance, '\n')
        .split('\n')
        .map((row, at) => `${String(at + 7).padStart(6)}\t${row}`)
        .join('\n'),
  ],
  [
    'log with times',
    ({ line }) =>
      line
        .split('\n')
        .map((row) => `2026-11-03T10:00:00Z  web.1 | ${row}`)
        .join('\n'),
  ],
  ['quoted mail', (line, chance) => `On Monday you wrote:\n${lined(cut(line, chance, '\n'), '> ')}\nThanks`],
];

/** `third` was written after the second half had been looked at. */
type PlantedPart = 'first' | 'second' | 'third';

const PARTS: Readonly<Record<PlantedPart, readonly [readonly Kind[], readonly Place[], seed: number]>> = {
  first: [FIRST, FIRST_PLACES, 11],
  second: [SECOND, SECOND_PLACES, 2_026],
  third: [THIRD, [...SECOND_PLACES, ...FIRST_PLACES], 31_337],
};

/** Sixty texts with a secret: twenty kinds, each in three places. The rules were made with the first half in sight only. */
export function plantedIn(half: PlantedPart): Planted[] {
  const [kinds, places, seed] = PARTS[half];
  const chance = chanceOf(seed);
  return kinds.flatMap(([kind, make], at) =>
    [0, 1, 2].flatMap((turn) => {
      const [place, put] = places[(at * 3 + turn * 4) % places.length] ?? [];
      if (place === undefined || put === undefined) return [];
      const line = make(chance);
      return [{ kind, place, secret: line.secret, text: put(line, chance) }];
    }),
  );
}

/** A secret of any kind of the first half, for tests with texts by chance. */
export function plantedLine(kind: number, seed: number): { kind: string; secret: string; line: string } {
  const [name, make] = FIRST[kind % FIRST.length] ?? ['', (chance: Chance) => named(letters(chance, 44), '')];
  return { kind: name, ...make(chanceOf(seed)) };
}

const plain = (text: string) => text.replaceAll(/[^A-Za-z0-9]/gu, '');

/** Returns what is left of a secret in a text: all of it, a half of it, or either in base64; undefined where nothing is. */
export function survivorOf(secret: string, text: string): string | undefined {
  const forms = secret.split('\n').flatMap((row) => {
    const middle = Math.floor(row.length / 2);
    const parts = [row, row.slice(0, middle), row.slice(middle)].filter(
      (part) => part.length >= 12 || part === row,
    );
    return parts.flatMap((part) => [
      part,
      Buffer.from(part)
        .toString('base64')
        .replace(/.{1,3}=*$/u, ''),
    ]);
  });
  const decoded = (text.match(/[A-Za-z0-9+/_-]{16,}/gu) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), 'base64').toString('latin1')),
  );
  const looked = [text, plain(text), ...decoded, ...decoded.map(plain)];
  return forms
    .filter((form) => form.length >= 8)
    .flatMap((form) => [form, plain(form)])
    .find((form) => form.length >= 8 && looked.some((one) => one.includes(form)));
}
