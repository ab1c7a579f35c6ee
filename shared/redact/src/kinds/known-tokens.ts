/** A form of token that its maker can be told by. */
export interface KnownToken {
  /** Counted under this name; it never changes. */
  rule: string;
  /** What it begins with, to the letter. */
  prefix: string;
  /** Characters of the rest, as a class of a pattern. */
  body: string;
  /** How many of them there are, at the least. */
  least: number;
  /** Tells whether there are never more, so that its end is known where lines were wrapped. */
  exact: boolean;
  /** Tells whether its beginning stands in ordinary words, too: then the rest has to look random, and no letter may come before. */
  weak: boolean;
}

const ALPHANUMERIC = '[A-Za-z0-9]';
const WORD = '[A-Za-z0-9_]';
const DASHED = '[A-Za-z0-9_-]';
const DOTTED = '[A-Za-z0-9._-]';
const HEX = '[0-9a-fA-F]';
const BASE64 = '[A-Za-z0-9+/=_-]';

type Row = readonly [rule: string, prefixes: string, body: string, least: number, how?: 'exact' | 'weak'];

/** By maker. Sources: the makers' pages, GitHub's list of partner patterns, and the rules of gitleaks and secretlint. */
const ROWS: readonly Row[] = [
  ['age', 'AGE-SECRET-KEY-1', '[A-Z0-9]', 58, 'exact'],
  ['airtable', 'pat', '[A-Za-z0-9]{14}\\.[0-9a-f]', 64, 'exact'],
  ['anthropic', 'sk-ant-', DASHED, 20],
  ['artifactory', 'AKCp cmVmdGtu', ALPHANUMERIC, 40],
  ['atlassian', 'ATATT3 ATCTT3', '[A-Za-z0-9_=-]', 60],
  ['atlassian', 'ATBB', ALPHANUMERIC, 32, 'exact'],
  ['aws', 'AKIA ASIA ABIA ACCA', '[A-Z0-9]', 16, 'exact'],
  ['aws', 'bedrock-api-key- ABSK', BASE64, 40],
  ['buildkite', 'bkua_ bkaj_', HEX, 40, 'exact'],
  ['circleci', 'CCIPAT_ CCIPRJ_', WORD, 40],
  ['contentful', 'CFPAT-', DASHED, 40],
  ['databricks', 'dapi', HEX, 32, 'exact'],
  ['digitalocean', 'dop_v1_ doo_v1_ dor_v1_', HEX, 64, 'exact'],
  ['docker', 'dckr_pat_ dckr_oat_', DASHED, 27],
  ['doppler', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', DOTTED, 40],
  ['dropbox', 'sl.', DASHED, 100],
  ['e2b', 'e2b_', HEX, 40, 'exact'],
  ['facebook', 'EAA', ALPHANUMERIC, 80, 'weak'],
  ['figma', 'figd_ figdr_', DASHED, 40],
  ['firecrawl', 'fc-', HEX, 32, 'exact'],
  ['fly', 'fm2_ fm1r_ fm1a_ fo1_', BASE64, 40],
  ['github', 'ghp_ gho_ ghu_ ghs_ ghr_', WORD, 36],
  ['github', 'github_pat_', WORD, 60],
  [
    'gitlab',
    'glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glsoat- glagent- gloas- glffct- glwt-',
    DOTTED,
    20,
  ],
  ['google', 'AIza', DASHED, 35, 'exact'],
  ['google', 'ya29.', DOTTED, 20],
  ['google', 'GOCSPX-', DASHED, 28, 'exact'],
  ['google', '1//0', DASHED, 40],
  ['grafana', 'glc_ glsa_', BASE64, 32],
  ['groq', 'gsk_', ALPHANUMERIC, 40],
  ['heroku', 'HRKU-', DASHED, 36],
  ['huggingface', 'hf_ api_org_', ALPHANUMERIC, 30],
  ['jina', 'jina_', DASHED, 40],
  ['langsmith', 'lsv2_pt_ lsv2_sk_', WORD, 32],
  ['linear', 'lin_api_ lin_oauth_', WORD, 32],
  ['mailgun', 'key-', HEX, 32, 'exact'],
  ['mapbox', 'sk.eyJ', DOTTED, 40],
  ['neon', 'npg_', ALPHANUMERIC, 12, 'weak'],
  ['new-relic', 'NRAK- NRII- NRAA-', DASHED, 27],
  ['notion', 'ntn_', ALPHANUMERIC, 40],
  ['notion', 'secret_', ALPHANUMERIC, 40],
  ['npm', 'npm_', ALPHANUMERIC, 36],
  ['nuget', 'oy2', '[a-z0-9]', 43, 'exact'],
  ['nvidia', 'nvapi-', DASHED, 40],
  ['1password', 'ops_ey', BASE64, 80],
  ['openai', 'sk-proj- sk-svcacct- sk-admin- sk-None-', DASHED, 20],
  ['openai', 'sk-', DASHED, 20, 'weak'],
  ['openrouter', 'sk-or-', DASHED, 40],
  ['perplexity', 'pplx-', ALPHANUMERIC, 32],
  ['planetscale', 'pscale_tkn_ pscale_pw_ pscale_oauth_', DOTTED, 32],
  ['posthog', 'phx_ phs_', WORD, 36],
  ['postman', 'PMAK-', DASHED, 50],
  ['pulumi', 'pul-', HEX, 40, 'exact'],
  ['pypi', 'pypi-', DASHED, 50],
  ['replicate', 'r8_', ALPHANUMERIC, 36],
  ['resend', 're_', '[A-Za-z0-9]{6,12}_[A-Za-z0-9]', 18],
  ['reverie', 'rv_live_ rv_bot_ rv_sandbox_ rv_operator_', ALPHANUMERIC, 38, 'exact'],
  ['rubygems', 'rubygems_', HEX, 48, 'exact'],
  ['sendgrid', 'SG.', '[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]', 16],
  ['sentry', 'sntrys_ sntryu_ sntrya_', BASE64, 40],
  ['shopify', 'shpat_ shpca_ shppa_ shpss_ shptka_', ALPHANUMERIC, 32],
  ['slack', 'xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxe- xoxc- xoxd- xapp-', '[A-Za-z0-9%_-]', 16],
  ['sonar', 'sqp_ squ_ sqa_', HEX, 40, 'exact'],
  ['square', 'sq0atp- sq0csp-', DASHED, 22],
  ['square', 'EAAA', DASHED, 56, 'weak'],
  ['stripe', 'sk_live_ sk_test_ rk_live_ rk_test_', ALPHANUMERIC, 16],
  ['supabase', 'sbp_', HEX, 40, 'exact'],
  ['supabase', 'sb_secret_', DASHED, 24],
  ['tailscale', 'tskey-', DASHED, 20],
  ['tavily', 'tvly-', DASHED, 20],
  ['terraform', 'atlasv1.', DASHED, 60],
  ['twilio', 'SK', '[0-9a-f]', 32, 'exact'],
  ['vault', 'hvs. hvb. hvr.', DASHED, 20],
  ['vercel', 'vcp_ vci_ vca_ vcr_ vck_', ALPHANUMERIC, 20],
  ['webhook-secret', 'whsec_', '[A-Za-z0-9+/=]', 20],
  ['xai', 'xai-', ALPHANUMERIC, 60],
];

/** All forms, those with the longer beginning first: `sk-ant-` is asked before `sk-`. */
export const KNOWN_TOKENS: readonly KnownToken[] = ROWS.flatMap(([rule, prefixes, body, least, how]) =>
  prefixes.split(' ').map((prefix) => ({
    rule,
    prefix,
    body,
    least,
    exact: how === 'exact',
    weak: how === 'weak',
  })),
).sort((a, b) => b.prefix.length - a.prefix.length);
