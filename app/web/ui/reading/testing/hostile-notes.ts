/** A note that somebody else wrote to get something run, fetched, broken or faked in the page that shows it. */
export interface HostileNote {
  /** What it tries, which is its key too. */
  name: string;
  source: string;
  /** It takes longer to read than anybody waits, and is given up. */
  isSlow: boolean;
}

/** What every attack that succeeds calls or sets, so that a test sees it. */
export const TRAP = 'reverieWasHit';
/** A host that nothing may be fetched from; the name cannot exist. */
export const ELSEWHERE = 'https://elsewhere.invalid';

const run = `window.${TRAP}=1`;
const alerts = `${run};alert(1)`;

/** Attacks of the kinds that sanitizers have fallen for, as notes. */
export const hostileNotes: readonly HostileNote[] = [
  // HTML that runs.
  note('script', `<script>${alerts}</script>`),
  note('script in a paragraph', `Some text <script>${alerts}</script> goes on`),
  note('script in odd case, unclosed', `<ScRiPt/x>${alerts}//`),
  note('script that is fetched', `<script src="${ELSEWHERE}/x.js"></script>`),
  note('script as a module', `<script type="module">import "${ELSEWHERE}/x.js"</script>`),
  note('image with onerror', `<img src=x onerror="${alerts}">`),
  note('image with onerror, inline', `text <img src=x onerror=${run}> text`),
  note('body onload', `<body onload="${alerts}">`),
  note('details ontoggle', `<details open ontoggle="${alerts}"><summary>open</summary></details>`),
  note('input autofocus onfocus', `<input autofocus onfocus="${alerts}">`),
  note('video source onerror', `<video><source onerror="${alerts}"></video>`),
  note('marquee onstart', `<marquee onstart="${alerts}">x</marquee>`),
  note('svg onload', `<svg onload="${alerts}"><circle r=1></svg>`),
  note(
    'svg animate',
    `<svg><a xlink:href="javascript:${run}"><animate attributeName=href values="javascript:${run}"/><text y=9>x</text></a></svg>`,
  ),
  note('svg script', `<svg><script>${alerts}</script></svg>`),
  note(
    'svg foreignObject',
    `<svg><foreignObject><iframe srcdoc="<script>parent.${TRAP}=1</script>"></iframe></foreignObject></svg>`,
  ),
  note(
    'math that changes namespace',
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;">`,
  ),
  note('noscript that changes meaning', `<noscript><p title="</noscript><img src=x onerror=${run}>">`),
  note('template', `<template><img src=x onerror="${run}"></template>`),
  note('comment that ends early', `<!--> <img src=x onerror="${run}"> -->`),
  note('conditional comment', `<!--[if true]><script>${run}</script><![endif]-->`),
  note(
    'CDATA and processing instruction',
    `<![CDATA[<script>${run}</script>]]>\n\n<?xml-stylesheet href="${ELSEWHERE}/x.xsl"?>`,
  ),
  // What sets formulas and draws diagrams.
  note('formula that leads away', `$\\href{javascript:${run}}{x}$ $\\url{javascript:${run}}$`),
  note(
    'formula with HTML',
    `$\\htmlClass{x}{y}$ $\\text{<img src=x onerror=${run}>}$ $\\includegraphics{${ELSEWHERE}/x.png}$`,
  ),
  note('formula that grows for ever', `$\\def\\a{\\a\\a}\\a$ $\\rule{99999em}{99999em}$`),
  note(
    'diagram that runs',
    `\`\`\`mermaid\ngraph TD\n  A["<img src=x onerror=${run}>"]\n  click A "javascript:${run}"\n\`\`\``,
  ),
  note(
    'diagram that sets its own bounds',
    `\`\`\`mermaid\n%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "@import url(${ELSEWHERE}/x.css)"}}%%\ngraph TD\n  A[<script>${run}</script>]\n\`\`\``,
  ),
  note(
    'callout',
    `> [!<img onerror=${run}>] <script>${run}</script>\n\n> [!note]- <b onclick="${run}">x</b>\n> text`,
  ),
  // HTML that frames, leads away or draws over the page.
  note('iframe javascript', `<iframe src="javascript:parent.${TRAP}=1"></iframe>`),
  note('iframe srcdoc', `<iframe srcdoc="&lt;script&gt;parent.${TRAP}=1&lt;/script&gt;"></iframe>`),
  note('iframe elsewhere', `<iframe src="${ELSEWHERE}"></iframe>`),
  note('object and embed', `<object data="${ELSEWHERE}/x.swf"></object><embed src="${ELSEWHERE}/x.swf">`),
  note('meta refresh', `<meta http-equiv="refresh" content="0;url=${ELSEWHERE}">`),
  note('meta policy', `<meta http-equiv="Content-Security-Policy" content="script-src *">`),
  note('base', `<base href="${ELSEWHERE}/">\n\n[relative](page)`),
  note('form', `<form action="${ELSEWHERE}"><button>Sign in again</button><input name=key></form>`),
  note(
    'link stylesheet',
    `<link rel="stylesheet" href="${ELSEWHERE}/x.css"><link rel="prefetch" href="${ELSEWHERE}/y">`,
  ),
  note(
    'style with url',
    `<style>@import "${ELSEWHERE}/x.css"; body { background: url(${ELSEWHERE}/y.png) }</style>`,
  ),
  note(
    'style attribute over the page',
    `<div style="position:fixed;inset:0;background:url(${ELSEWHERE}/z.png)">Sign in</div>`,
  ),
  note('style attribute, inline', `a <span style="position:fixed;inset:0;z-index:9">b</span> c`),
  // Addresses of links.
  note('link javascript', `[click](javascript:${run})`),
  note('link in odd case', `[click](JaVaScRiPt:${run})`),
  note('link with entities', `[click](&#106;avascript&colon;${run}) [click](javascript&#x3A;${run})`),
  note(
    'link with tabs and line ends',
    `[click](<java\tscript:${run}>) [click](java&NewLine;script:${run}) [click](java&Tab;script&colon;${run})`,
  ),
  note(
    'link with nulls and control characters',
    `[click](java\u0000script:${run}) [click](\u0001javascript:${run}) [click](<\u00a0 javascript:${run}>)`,
  ),
  note('link vbscript', `[click](vbscript:msgbox(1)) [click](VBScript:x)`),
  note(
    'link data html',
    `[click](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==) [x](DATA:text/html,<script>alert(1)</script>)`,
  ),
  note(
    'link to other schemes',
    `[a](file:///etc/passwd) [b](blob:https://x/1) [c](filesystem:x) [d](view-source:x) [e](about:blank) [f](ms-msdt:/id) [g](intent://x)`,
  ),
  note(
    'link out of its attribute',
    `[click](https://x.test/"onmouseover="${run}) [click](https://x.test "a\\" onmouseover=${run}")`,
  ),
  note(
    'link by reference',
    `[click][a] [a] [b]\n\n[a]: javascript:${run} "title"\n[b]: <javascript:${run}>\n[A]: ${ELSEWHERE}`,
  ),
  note(
    'link that looks like another',
    `[https://bank.test](https://bank.test@elsewhere.invalid/) https://bank.test\u202egnp.exe`,
  ),
  note(
    'autolinks',
    `<javascript:${run}> <vbscript:x> <data:text/html,x> javascript:${run} www.elsewhere.invalid mailto:a@b.test`,
  ),
  note(
    'link without a scheme',
    `[a](//elsewhere.invalid/x) [b](\\\\elsewhere.invalid/x) [c](/v1/memory-clear) [d](?namespace=x#ticket=y) [e](#ticket=stolen)`,
  ),
  note('link around an image', `[![x](${ELSEWHERE}/a.png)](javascript:${run})`),
  note(
    'memory link javascript',
    `[[javascript:${run}]] [[javascript:${run}|click]] [[x"onclick="${run}]] [[<img src=x onerror=${run}>]]`,
  ),
  note(
    'memory link to strange keys',
    `[[../../v1/keys]] [[#ticket=x]] [[?a=b&namespace=c]] [[//elsewhere.invalid]] [[__proto__]] [[constructor]]`,
  ),
  // Images and other fetches.
  note('image elsewhere', `![x](${ELSEWHERE}/pixel.png)`),
  note('image elsewhere by reference', `![x][p]\n\n[p]: ${ELSEWHERE}/pixel.png`),
  note(
    'image elsewhere without a scheme',
    `![x](//elsewhere.invalid/p.png) ![x](/\\elsewhere.invalid/p.png) ![x](\\\\elsewhere.invalid/p.png)`,
  ),
  note(
    'image of HTML',
    `<img src="${ELSEWHERE}/p.png" srcset="${ELSEWHERE}/q.png 2x"> <picture><source srcset="${ELSEWHERE}/r.png"></picture>`,
  ),
  note(
    'image svg of data',
    `![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+) ![x](data:image/svg+xml,<svg/onload=alert(1)>)`,
  ),
  note(
    'image data html',
    `![x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==) ![x](javascript:${run})`,
  ),
  note('image with odd alt', `!["onerror="${run}](x) ![<img src=x onerror=${run}>](${ELSEWHERE}/a.png)`),
  note(
    'audio, video, track',
    `<audio src="${ELSEWHERE}/a.mp3" autoplay></audio><video poster="${ELSEWHERE}/b.png"><track src="${ELSEWHERE}/c.vtt"></video>`,
  ),
  note(
    'background of a table',
    `<table background="${ELSEWHERE}/t.png"><tr><td background="${ELSEWHERE}/u.png">x</table>`,
  ),
  // Names that the page's own script may look up.
  note(
    'ids that name the page',
    `<a id="root"></a><form name="location"><input name="getElementById"></form><img name="cookie"><a id="reverie" name="x"></a>`,
  ),
  note(
    'headings as prototype ids',
    '# __proto__\n\n## constructor\n\n### toString\n\n#### hasOwnProperty\n\n##### root\n\n[a](#__proto__) [b](#constructor)',
  ),
  note(
    'footnote ids',
    'a[^__proto__] b[^constructor] c[^"onclick="x] d[^root]\n\n[^__proto__]: one\n\n[^constructor]: two\n\n[^root]: three\n\n[^"onclick="x]: four',
  ),
  note(
    'code of prototype languages',
    '```__proto__\na\n```\n\n```constructor\nb\n```\n\n```"><img src=x onerror=alert(1)>\nc\n```',
  ),
  note(
    'front matter',
    `---\nlayout: "<script>${run}</script>"\n__proto__: { x: 1 }\n---\n\nBody <script>${run}</script>`,
  ),
  // Shapes that take long, or nest deeply.
  note('ten thousand quotations', `${'>'.repeat(10_000)} deep`),
  note('ten thousand quotations, spaced', `${'> '.repeat(10_000)}deep`),
  note('two hundred quotations', `${'> '.repeat(200)}deep`),
  note('lists in lists', Array.from({ length: 300 }, (_, at) => `${'  '.repeat(at)}- x`).join('\n')),
  note(
    'a table of ten thousand columns',
    `${'|a'.repeat(10_000)}|\n${'|-'.repeat(10_000)}|\n${'|b\n'.repeat(1_000)}`,
  ),
  slow('emphasis that is never closed', '*a_ '.repeat(15_000)),
  slow('emphasis that is opened again', '**a*'.repeat(10_000)),
  note('brackets that are never closed', '['.repeat(90_000)),
  slow('brackets in brackets', `${'['.repeat(40_000)}a${']'.repeat(40_000)}`),
  note('images in images', '!['.repeat(40_000)),
  note('links that are never closed', '[a](<b'.repeat(12_000)),
  note(
    'backticks of many lengths',
    Array.from({ length: 400 }, (_, at) => `${'`'.repeat(at + 1)}a`).join(''),
  ),
  slow('underlined headings', 'a\n=\n'.repeat(20_000)),
  note('entities in an address', `http://a.b/${'&a;'.repeat(20_000)}`),
  note(
    'one definition, used thousands of times',
    `[a]: https://x.test/${'y'.repeat(20_000)}\n\n${'[a] '.repeat(15_000)}`,
  ),
  note(
    'footnotes of footnotes',
    Array.from({ length: 800 }, (_, at) => `[^${at}]: [^${at + 1}] [^${at + 2}]\n`).join('') + '\n[^0]',
  ),
  note('HTML that is never closed', '<a b="'.repeat(12_000)),
  note('comments that are never closed', '<!--'.repeat(20_000)),
  // Letters that turn others round, or are not seen.
  note(
    'right to left override',
    `safe \u202egnp.exe\u202c and \u2066isolated\u2069 \u202d left\n\n[\u202emoc.knab](${ELSEWHERE})`,
  ),
  note(
    'invisible letters',
    `pass\u200bword \u2060\ufeff\u00ad ja\u200bvascript:${run} [x](java\u200bscript:${run})`,
  ),
  note('combining marks', `Z${'\u0301\u0489'.repeat(4_000)}`),
  note('half characters and nulls', 'a\ud800b\udc00c \u0000 \uffff # x'),
];

function note(name: string, source: string): HostileNote {
  return { name, source, isSlow: false };
}

function slow(name: string, source: string): HostileNote {
  return { name, source, isSlow: true };
}
