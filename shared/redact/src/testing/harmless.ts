import { createHash } from 'node:crypto';
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

type Chance = () => number;

const hex = (chance: Chance, count: number) => drawn(chance, HEX, count);
const base64 = (chance: Chance, count: number) => drawn(chance, BASE64, count);
const ulid = (chance: Chance) => `01J${drawn(chance, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 23)}`;
const uuid = (chance: Chance) =>
  `${hex(chance, 8)}-${hex(chance, 4)}-4${hex(chance, 3)}-a${hex(chance, 3)}-${hex(chance, 12)}`;

const word = (chance: Chance) => {
  const words = [
    'session',
    'limit',
    'render',
    'memory',
    'Parser',
    'index',
    'Handler',
    'queue',
    'token',
    'Stream',
  ];
  return words[Math.floor(chance() * words.length)] ?? 'word';
};

/** What looks like a secret and is none; the rules were made with these in sight. */
const FIRST: readonly ((chance: Chance) => string)[] = [
  (c) => `commit ${hex(c, 40)}\nAuthor: Ada <ada@example.org>`,
  (c) => `Updating ${hex(c, 7)}..${hex(c, 7)}\nFast-forward`,
  (c) => `request ${uuid(c)} took 12 ms`,
  (c) => `{"id":"${ulid(c)}","object":"memory"}`,
  (c) => `"integrity": "sha512-${base64(c, 86)}==",`,
  (c) => `  resolution: {integrity: sha512-${base64(c, 86)}==}`,
  (c) => `checksum = "${hex(c, 64)}"`,
  (c) => `image: ghcr.io/acme/api@sha256:${hex(c, 64)}`,
  (c) =>
    `<div class="_${drawn(c, LETTERS_AND_DIGITS, 5)}_${drawn(c, LETTERS_AND_DIGITS, 5)}_1 css-${drawn(c, LOWER + DIGITS, 6)}">`,
  (c) => `dist/assets/index-${drawn(c, BASE64_URL, 8)}.js   142.31 kB │ gzip: 44.10 kB`,
  (c) =>
    `function a(b,c){return b.${word(c)}?c(${word(c)}.e1):d2(f3,${Math.floor(c() * 1000)})}var g4=h5.${word(c)}I6;`,
  (c) =>
    `{"imports":{"react":"https://esm.sh/react@19.${Math.floor(c() * 9)}.1","d3":"/vendor/d3.${hex(c, 8)}.js"}}`,
  (c) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${base64(c, 43)} ada@laptop`,
  (c) =>
    `-----BEGIN CERTIFICATE-----\n${[0, 1, 2, 3, 4].map(() => base64(c, 64)).join('\n')}\n${base64(c, 30)}==\n-----END CERTIFICATE-----`,
  (c) => `--accent: #${hex(c, 6)}; --soft: #${hex(c, 8)}; --line: rgb(12 34 56 / 0.5);`,
  (c) =>
    `react 19.${Math.floor(c() * 9)}.0-canary-${hex(c, 8)}-2026${drawn(c, DIGITS, 4)} → 20.0.0-rc.1+build.${drawn(c, DIGITS, 4)}`,
  () => 'interface Login { username: string; password: string; token?: string | undefined }',
  (c) => `const apiKey = process.env.${word(c).toUpperCase()}_API_KEY ?? '';`,
  () => 'export OPENAI_API_KEY=sk-... # put yours here',
  () =>
    'aws_access_key_id = AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  (c) => `max_tokens: ${Math.floor(c() * 9000)}, input_tokens=${Math.floor(c() * 9000)}, token_count: 12`,
  (c) => `src/features/${word(c)}/${word(c)}Service${word(c)}Test2.ts:${Math.floor(c() * 400)}:17`,
  (c) => `golang.org/x/${word(c)} v0.${Math.floor(c() * 90)}.0 h1:${base64(c, 43)}=`,
  (c) => `export const get${word(c)}ByIdFrom${word(c)}AndReturnFirst${word(c)}OrThrow = () => null;`,
  (c) => `{"type":"tool_use","id":"toolu_01${drawn(c, LETTERS_AND_DIGITS, 22)}","name":"Bash"}`,
];

/** The second half: other kinds of look-alikes, not run while rules were changed. */
const SECOND: readonly ((chance: Chance) => string)[] = [
  (c) => `index ${hex(c, 7)}..${hex(c, 7)} 100644`,
  (c) => `Merge pull request #${drawn(c, DIGITS, 3)} from acme/fix-${word(c)}-${hex(c, 6)}`,
  (c) => `etag: W/"${hex(c, 4)}-${drawn(c, BASE64, 27)}"`,
  (c) => `<script integrity="sha384-${base64(c, 64)}" crossorigin="anonymous"></script>`,
  (c) => `"${word(c)}@npm:^4.17.${Math.floor(c() * 30)}":\n  checksum: 10c0/${hex(c, 128)}`,
  (c) => `    {file = "x-1.2.${Math.floor(c() * 9)}-py3-none-any.whl", hash = "sha256:${hex(c, 64)}"},`,
  (c) =>
    `resolved "https://registry.yarnpkg.com/${word(c)}/-/${word(c)}-1.0.${Math.floor(c() * 9)}.tgz#${hex(c, 40)}"`,
  (c) => `traceparent: 00-${hex(c, 32)}-${hex(c, 16)}-01`,
  (c) => `SHA256:${base64(c, 43)} ada@laptop (ED25519)`,
  (c) =>
    `ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABB${base64(c, 88)}= root@build`,
  (c) =>
    `-----BEGIN PUBLIC KEY-----\n${base64(c, 64)}\n${base64(c, 64)}\n${base64(c, 40)}==\n-----END PUBLIC KEY-----`,
  (c) =>
    `{"kty":"EC","crv":"P-256","x":"${drawn(c, BASE64_URL, 43)}","y":"${drawn(c, BASE64_URL, 43)}","kid":"${drawn(c, BASE64_URL, 22)}"}`,
  (c) => `src: url(https://fonts.gstatic.com/s/inter/v13/${drawn(c, BASE64_URL, 60)}.woff2) format('woff2');`,
  (c) =>
    `.${word(c)}-module__${drawn(c, LETTERS_AND_DIGITS, 6)}__${word(c)}{color:#${hex(c, 3)};width:${Math.floor(c() * 99)}px}`,
  (c) =>
    `!function(e,t){"object"==typeof exports?t(exports):t((e=e||self).${word(c)}={})}(this,(function(e){var n=${Math.floor(c() * 99)},r2=a1(n)}));`,
  () => 'def login(username: str, password: str, token: Optional[str] = None) -> AuthToken:',
  (c) => `  password = os.environ.get("${word(c).toUpperCase()}_PASSWORD")`,
  () => 'const secret = await vault.read(`kv/data/${team}/api`);',
  () =>
    '<input type="password" name="password" placeholder="Your password" autocomplete="current-password" />',
  () => 'export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  () => 'Authorization: Bearer <your-token>',
  () => 'DATABASE_URL=postgres://user:password@localhost:5432/app',
  (c) =>
    `msg_01${drawn(c, LETTERS_AND_DIGITS, 22)} stop_reason=end_turn usage={"input_tokens":${drawn(c, DIGITS, 4)}}`,
  (c) => `call_${drawn(c, LETTERS_AND_DIGITS, 24)} → exit 0`,
  (c) =>
    `nanoid: ${drawn(c, BASE64_URL, 21)}\nnanoid: ${drawn(c, BASE64_URL, 21)}\nnanoid: ${drawn(c, BASE64_URL, 21)}`,
  (c) => `- ${ulid(c)}\n- ${ulid(c)}\n- ${ulid(c)}`,
  (c) =>
    `"mappings": "AAAA,SAAS,${drawn(c, UPPER, 4)},CAAC,${drawn(c, UPPER, 4)};${drawn(c, UPPER, 4)},IAAM,${drawn(c, UPPER, 4)}"`,
  (c) => `sha1sum: ${createHash('sha1').update(String(c())).digest('hex')}  build.tar.gz`,
  (c) => `  "_id": "${hex(c, 24)}", "key": "${word(c)}.${word(c)}.title", "tokenType": "Bearer"`,
  (c) =>
    `data-testid="${word(c)}-${word(c)}-row-${Math.floor(c() * 100)}" aria-labelledby="radix-:r${hex(c, 2)}:"`,
];

/** Five hundred look-alikes. */
export function harmlessIn(half: 'first' | 'second'): string[] {
  const [kinds, seed] = half === 'first' ? [FIRST, 5] : [SECOND, 77];
  const chance = chanceOf(seed);
  return Array.from({ length: 500 }, (_, at) => kinds[at % kinds.length]?.(chance) ?? '');
}
