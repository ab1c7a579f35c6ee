import { beforeEach, describe, expect, test } from 'vitest';
import { redact } from './redaction.ts';
import { BASE64, chanceOf, DIGITS, drawn, HEX, LETTERS_AND_DIGITS, LOWER } from './testing/chance.ts';

let chance = chanceOf(37);
// Each test draws the same values, in whatever order they run.
beforeEach(() => {
  chance = chanceOf(37);
});
const mixed = (count: number) => drawn(chance, LETTERS_AND_DIGITS, count);

/** Values as people and machines make them; each form has one of each. */
const VALUES: Readonly<Record<string, () => string>> = {
  'ten letters and digits': () => `${mixed(8)}x7`,
  'a password with signs': () => `${mixed(6)}!${mixed(3)}4`,
  'small letters and digits': () =>
    `${drawn(chance, LOWER, 4)}${drawn(chance, DIGITS, 3)}${drawn(chance, LOWER, 4)}`,
  hexadecimal: () => `${drawn(chance, HEX, 20)}a1f`,
  'base64 that ends in =': () => Buffer.from(mixed(10)).toString('base64'),
  'a key of 128 bits': () => `x${drawn(chance, BASE64, 21)}==`,
};

const env = (value: string) => `PORT=80\nDB_PASSWORD=${value}\nMODE=on\n`;
const bytesOf = (text: string) => [...Buffer.from(text)];
const hexOf = (byte: number) => byte.toString(16).padStart(2, '0');
const inRows = (text: string, row: (bytes: number[], offset: number) => string) => {
  const bytes = bytesOf(text);
  return Array.from({ length: Math.ceil(bytes.length / 16) }, (_, at) =>
    row(bytes.slice(at * 16, at * 16 + 16), at * 16),
  ).join('\n');
};
const printed = (bytes: number[]) =>
  bytes.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
const wide = (text: string) =>
  text.replaceAll(/[!-~]/gu, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));

/** Each says where a value stands; `V` is the value, a function writes it in another form. */
const FORMS: Readonly<Record<string, readonly (string | ((value: string) => string))[]>> = {
  settings: [
    'data:\n  username: YWRtaW4=\n  password: V\n',
    'SVC_TOKEN=V',
    "export API_KEY='V'",
    '[db]\npassword = V\n',
    'password: |\n  V\n',
    'password: >-\n  V\n',
    'Server=db;User Id=sa;Password=V;Encrypt=true',
    '- name: DB_PASSWORD\n  value: V\n',
    'variable "db_password" {\n  default = "V"\n}',
  ],
  'JSON and code': [
    '{"password": "V"}',
    '{"apiKey":"V","x":1}',
    (value) => JSON.stringify(JSON.stringify({ apiKey: value })),
    '{"name": "DB_PASSWORD", "value": "V"}',
    "const password: string = 'V';",
    'client = Client(api_key="V", timeout=3)',
  ],
  XML: [
    '<entry name="password"><value>V</value></entry>',
    '<entry key="db.password">V</entry>',
    '<password>V</password>',
    '<key>Password</key>\n  <string>V</string>',
    '<property>\n <name>fs.secret.key</name>\n <value>V</value>\n</property>',
    '<db:password type="x"><![CDATA[V]]></db:password>',
    '<property name="password" value="V"/>',
  ],
  tables: [
    ' id | name | password     | age\n----+------+--------------+----\n  1 | ada  | V | 4\n(1 row)\n',
    '-[ RECORD 1 ]---\nid       | 1\npassword | V\n',
    '| user | password |\n| --- | --- |\n| ada | V |\n',
    '| Setting | Value |\n|---|---|\n| API key | `V` |\n',
    '+----+-------+\n| id | token |\n+----+-------+\n|  1 | V |\n+----+-------+\n',
    'id,user,password\n1,ada,V\n2,bob,x\n',
    'user\tapi_key\nada\tV\n',
    'NAME     TOKEN                           AGE\nweb      V   4d\n',
    '│ user │ secret │\n├──────┼────────┤\n│ ada  │ V │\n',
  ],
  commands: [
    'deploy --token V --region eu',
    'mysql --password=V app',
    'echo V | docker login -u ada --password-stdin',
    'echo "V" | gh auth login --with-token',
    "printf '%s' 'V' | docker secret create db_password -",
    'docker login --password-stdin <<< "V"',
  ],
  sentences: [
    'The admin password is V. I logged in with V and it worked.',
    'The password for the staging database is `V`, ok?',
    'I set the root password to V yesterday',
    'V is the password for the db.',
    "Here's the secret you asked for:\n\n```\nV\n```\n",
    'Password: **V**',
    'The API key is “V”',
    'Das Kennwort lautet: V',
    'Das Passwort für den Server ist V.',
    'La contraseña es V.',
    'Le mot de passe de la base est V, merci.',
    'Mot de passe : V',
    'A senha do servidor é V',
    'La password di produzione è V.',
    'Het wachtwoord is V',
    'Пароль: V',
    'Пароль от базы — это V',
    '密码是V。',
    '数据库密码：V，谢谢',
    'パスワードはVです。',
    'パスワード：「V」',
    '비밀번호는 V 입니다',
  ],
  'brackets of sentences': [
    'The admin password is (V). I logged in with (V) and it worked.',
    'I set the root password to <V>! Then I ran it again.',
    'Das Passwort lautet [V]. Bitte nicht weitergeben.',
    'Found it in the wiki – password (MySQL) = V',
    'Le mot de passe est toujours V ? Je crois que oui.',
    'パスワードは「<V>」です。',
  ],
  lists: [
    '{"auth":{"user":"ada","db_password":["V"]}}',
    '{"passwords":["V","V"]}',
    'passwords:\n  - V\n',
    "const passwords = [\n  'V',\n];",
  ],
  'names within names': [
    '{"adminPass":"V"}',
    'spring.admin-pass=V\n',
    'ADMIN_PASSWORD=V',
    'builder.setDbPwd("V")',
  ],
  'statements and arguments': [
    "SET PASSWORD FOR 'ada.lovelace' = 'V';",
    "ALTER USER app WITH ENCRYPTED PASSWORD 'V';",
    "CREATE USER 'app'@'%' IDENTIFIED WITH mysql_native_password BY 'V';",
    "curl -u'app:V' https://example.org",
    'curl -sS -uapp:V https://example.org',
    'docker login -u ada --password-stdin ghcr.io <<< "V"',
    "printf '%s' 'V' > ./db-password.txt",
    'ansible-playbook site.yml -e "db_password=V" --limit db',
    'Server=db;User Id=sa;Password=V;Encrypt=true',
  ],
  'names of bytes and letters': [
    (value) =>
      `> fs.readFileSync('./db-pwd.txt')\n{ dbPwd: <Buffer ${bytesOf(value).map(hexOf).join(' ')}> }`,
    (value) => `> Buffer.from(config.password)\n<Buffer ${bytesOf(value).map(hexOf).join(' ')}>`,
    (value) => `password := []byte{${bytesOf(value).join(', ')}}`,
    (value) => `{"smtpPassword": [${bytesOf(value).join(',')}], "port": 25}`,
    (value) =>
      `PASSWORD=$'${bytesOf(value)
        .map((byte) => `\\x${hexOf(byte)}`)
        .join('')}'`,
    (value) => `the password, spelled out: ${[...value].join(' . ')}`,
    (value) => `password (remove the dashes): ${[...value].join('-')}`,
    (value) => `DB_PASSWORD = ${[...value].join('\u00a0')}`,
    '^[[36mDB_PASSWORD^[[0m=^[[1mV^[[0m',
  ],
  'other ways to write': [
    (value) => wide(env(value)),
    (value) => `DB_PASSWORD=${[...value].join(' ')}`,
    (value) => [...`DB_PASSWORD=${value}`].join(' '),
    (value) =>
      bytesOf(env(value))
        .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
        .join(''),
    (value) => JSON.stringify(Buffer.from(env(value))),
    (value) => `<Buffer ${bytesOf(env(value)).map(hexOf).join(' ')}>`,
    (value) =>
      bytesOf(env(value))
        .map((byte) => `0x${hexOf(byte)}`)
        .join(', '),
    (value) => `[\n  ${bytesOf(env(value)).join(',\n  ')}\n]`,
    (value) =>
      inRows(env(value), (bytes, offset) => {
        const groups =
          bytes
            .map(hexOf)
            .join('')
            .match(/.{1,4}/gu) ?? [];
        return `${offset.toString(16).padStart(8, '0')}: ${groups.join(' ').padEnd(39)}  ${printed(bytes)}`;
      }),
    (value) =>
      inRows(env(value), (bytes, offset) => {
        const halves = [bytes.slice(0, 8), bytes.slice(8)].map((half) => half.map(hexOf).join(' '));
        return `${offset.toString(16).padStart(8, '0')}  ${halves.join('  ').padEnd(48)}  |${printed(bytes)}|`;
      }),
    (value) =>
      inRows(env(value), (bytes, offset) => {
        const words = Array.from({ length: Math.ceil(bytes.length / 2) }, (_, at) =>
          [bytes[2 * at + 1] ?? 0, bytes[2 * at] ?? 0].map(hexOf).join(''),
        );
        return `${offset.toString(16).padStart(7, '0')} ${words.join(' ')}`;
      }),
    (value) =>
      inRows(
        env(value),
        (bytes, offset) =>
          offset.toString(8).padStart(7, '0') +
          bytes.map((byte) => (byte === 10 ? '  \\n' : `   ${String.fromCharCode(byte)}`)).join(''),
      ),
  ],
};

describe('a value that is named leaves nothing', () => {
  test.each(Object.entries(FORMS))('in %s', async (_, forms) => {
    const left: object[] = [];
    for (const form of forms)
      for (const [kind, make] of Object.entries(VALUES)) {
        const value = make();
        const text = typeof form === 'string' ? form.replaceAll('V', value) : form(value);
        const redacted = (await redact(text)).text;
        // In another form than it was drawn it can only be seen that a part was taken out.
        const isIn = text.includes(value)
          ? redacted.includes(value.slice(1, -2))
          : !redacted.includes('[REDACTED:');
        if (isIn) left.push({ kind, text, redacted });
      }
    expect(left).toEqual([]);
  });

  test.each([
    'passphrase: correct horse battery staple',
    'The passphrase is "velvet anchor mosaic thunder".',
    'seed phrase:\n1. ribbon 2. useful 3. tower 4. canyon 5. marble 6. orbit\n7. puzzle 8. rival 9. saddle 10. timber 11. velvet 12. walnut',
    'Frase de recuperación: ribbon useful tower canyon marble orbit puzzle rival saddle timber velvet walnut',
    '<entry name="passphrase">velvet anchor mosaic thunder</entry>',
    'private const string BackupPassphrase = "velvet_anchor_mosaic_thunder";',
    '{"walletMnemonic":["ribbon useful tower canyon marble orbit puzzle rival saddle timber velvet walnut"]}',
    "ALTER USER ada PASSWORD 'velvet-anchor-mosaic-thunder';",
    "mysqldump -uada -p'velvet anchor mosaic thunder' --all-databases",
    'The passphrase of the backup is <velvet_anchor_mosaic_thunder>. I used velvet_anchor_mosaic_thunder.',
    '| user | passphrase | note |\n|---|---|---|\n| ada | until-anchor-mosaic-thunder | from the wiki |',
    'variable "passphrase" {\n  type    = string\n  default = "velvet anchor mosaic thunder"\n}',
    `passphrase (remove the spaces): ${[...'velvet anchor mosaic thunder'].join('\u00a0')}`,
  ])('%s', async (text) => {
    const { text: redacted } = await redact(text);
    expect(redacted).not.toMatch(/horse|battery|anchor|mosaic|useful|tower|saddle|timber/u);
  });
});

describe('a secret of a form that is known leaves nothing without a name', () => {
  const hash = `${mixed(8)}./${mixed(12)}`;
  const [key, half] = [drawn(chance, HEX, 31), drawn(chance, HEX, 30)];
  const grouped = 'k7fq mz3w xv5t bh2n pd6r';
  test.each([
    // It looks like a setting with nothing behind it.
    ['base64 in a block of YAML', 'password: |\n  aWlQdjRtMWhXbw==\n', 'aWlQdjRtMWhXbw'],
    ['a hash of crypt', `root:$apr1$q8Zt1LpX$${hash}`, hash],
    ['a hash of bcrypt', `{"x":"ada:$2y$05$${hash}Zq4"}`, hash],
    ['both halves of a key in an address', `x = https://${key}7:${half}9@sentry.example.org/4`, key],
    [
      'the key of an authenticator',
      `"otpauth://totp/Acme:ada?secret=QXWMZKTWPHVNBLPD&issuer=Acme"`,
      'QXWMZKTWPH',
    ],
    ['the same in groups', `totp_secret = ${grouped}\n`, grouped],
    [
      'a session that scripts cannot read',
      `Set-Cookie: session=quick-about-advance-ride; Path=/; HttpOnly`,
      'quick-about',
    ],
  ])('%s', async (_, text, secret) => {
    expect((await redact(text)).text).not.toContain(secret);
  });

  test('a value goes to the end of its line, whatever signs are in it', async () => {
    for (const value of ['T&zG]hR_/RlYGu7', 'n}U&o[T3G.ERJ?Gb', '5[Jw(8=W~$hoeWt'])
      for (const line of ['password = V', '   4→export DB_PASSWORD=V', 'admin_password: V\r'])
        expect((await redact(`a=1\n${line.replace('V', () => value)}\nb=2\n`)).text).not.toContain(
          value.slice(5),
        );
  });
});

/** What speaks of passwords, keys and tokens and holds none, or looks like another form of a text. */
const HARMLESS = [
  'The password is required for this endpoint, and must be at least 12 characters.',
  'The token is valid for 24h and expires at 2026-11-28T10:00:00Z.',
  'I changed the password field to use type=password and bumped react to 19.2.1.',
  'the secret is stored in vault under kv/data/team1/api2.',
  'See src/auth/token-service2.ts:45 for the token handling.',
  'password hash: argon2id with t=3; Secret sharing: 3-of-5 scheme',
  'The seed is 42 and the seed: add demo users table',
  'passphrase: please enter the one you have got',
  'const token = await getToken2();',
  'secretName: my-app-tls-2024',
  '| Field | Type | Description |\n|---|---|---|\n| password | string | The password, 8 to 64 characters |\n| token | string | v2 token |',
  '| Test | Password | Result |\n|---|---|---|\n| login1 | correct | pass |\n| login2 | wrong | fail |',
  'Le mot de passe est obligatoire et doit avoir 12 caractères.',
  'La contraseña es obligatoria en la versión 2.0.',
  'パスワードは必須です。8文字以上。',
  '密码是必填项，至少8位。',
  '<label for="password">Password</label>\n<input id="password" type="password" name="password" value="">',
  `<span class="token keyword">function1</span> <span class="token string">'abc123def'</span>`,
  'echo "hello world" | grep password',
  '[104, 101, 108, 108, 111, 32, 119, 111, 114, 108, 100, 33]',
  '00000000: 4865 6c6c 6f20 776f 726c 6421 2048 656c  Hello world! Hel',
  'a b c d e f g h i j k l m n o p 1 2 3 4 5 6 7 8',
  'Ｈｅｌｌｏ　Ｗｏｒｌｄ１２３',
  'password reset link sent to ada@example.org',
  'const tokens = ["identifier1", "operator22", "punctuator"];',
  'secrets:\n  - db-credentials\n  - tls-certs\n',
  'The token is (see docs/auth2.md) stored in memory',
  'The password is [described here](https://example.org/p4ssw0rd-guide2).',
  'The secret key is <your-secret-key>.',
  'password: Secret<Utf8Array2>,',
  'const password = form.fields[2].value;',
  'Server=db;Password=%PASSWORD%;Encrypt=true',
  'ALTER USER app PASSWORD EXPIRE INTERVAL 90 DAY;',
  'tool -url:http://localhost:8080/x1 -UseBasicParsing:$false',
  'echo "see README2 for it" > password-policy.md',
  '{ "password": "Contraseña", "Passwort": "Wachtwoord", "Kennwort": "erforderlich" }',
  'a - b - c - d - e - f - g - h - i - j',
  'token, err := parse2024(x)',
  'golang.org/x/token v0.78.0 h1:YS0v5xXq5DMavaaVu00sAIcJ6UNWq7n/nSc94KPevDI=',
];

test('prose about passwords and harmless dumps stay as they are', async () => {
  const touched: string[] = [];
  for (const text of HARMLESS) if ((await redact(text)).text !== text) touched.push(text);
  expect(touched).toEqual([]);
});
