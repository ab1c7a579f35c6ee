/** Swagger UI follows no scheme by itself: it is told of it by a class. */
export const START = `const dark = matchMedia('(prefers-color-scheme: dark)');
const dress = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', dress);
dress();
SwaggerUIBundle({ url: '/v1/openapi.json', dom_id: '#swagger-ui', validatorUrl: null, deepLinking: true, docExpansion: 'list', defaultModelsExpandDepth: 0 });
`;

/** The page of the reference, within the head and the colours of the guide; `appStyle` is the address of the page's style sheet. */
export function referencePage(appStyle: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>API reference · Reverie</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${appStyle}">
<link rel="stylesheet" href="/docs/guide.css">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body class="written reference">
<header><strong><a href="/docs">API reference</a></strong> <a href="/">Your memories</a> <a href="/docs/guide">Guide</a> <a href="/docs/agents">For agents</a></header>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
}

/** How the reference looks, on the tokens and fonts of the page; the roots before each rule outweigh Swagger UI's own. */
export const STYLE = `body.reference { grid-template: auto 1fr / minmax(0, 1fr); max-inline-size: 68rem; }
body.reference #swagger-ui { min-inline-size: 0; }
html:has(body.reference) { background: var(--paper) !important; }
:root:root:root:root .swagger-ui {
  &, & :is(p, li, td, th, label, h1, h2, h3, h4, h5, a, button, input, select, textarea, section, span, small, .tab) { font-family: var(--sans); }
  &, & :is(p, li, td, th, label, h1, h2, h3, h4, h5, .title, .tab li, .opblock-summary-path, .opblock-summary-path a, .opblock-tag, .parameter__name, .parameter__type, .response-col_status, .response-col_description, .model, .model-title, .prop-type, .info p, .renderedMarkdown p, .opblock-description-wrapper p, .opblock-section-header h4, .opblock-section-header > label) { background: transparent; color: var(--ink); }
  & :is(.opblock-summary-description, .parameter__in, .parameter__type, .prop-format, .model-hint, .opblock-tag small, .opblock-tag small p, .opblock-external-docs-wrapper, .response-control-media-type__accept-message, .col_header, thead tr :is(th, td)) { color: var(--soft); }
  & .wrapper { max-inline-size: none; padding: 0; }
  & .information-container { padding: 0 0 var(--s4); }
  & .info { margin: 0; max-inline-size: var(--measure); }
  & .info .title { font: 500 var(--text-28) / 1.2 var(--serif); }
  & .info .title small { display: inline-block; inset: auto; margin-inline-start: var(--s2); padding: 0 0.5rem; border-radius: 20px; background: color-mix(in srgb, var(--ink) 6%, transparent); vertical-align: middle; }
  & .info .title small pre { color: var(--soft); font: 500 var(--text-12) / 1.25rem var(--sans); }
  & .info :is(p, li) { font: 400 var(--text-16) / 1.6 var(--serif); }
  & a { color: var(--accent); }
  & :is(.opblock-tag, .opblock-summary-path) a { color: inherit; }
  & .scheme-container { margin: 0 0 var(--s4); padding: var(--s3) 0; border-block: 1px solid var(--line); background: transparent; box-shadow: none; }
  & .scheme-container .schemes > label { color: var(--soft); font-size: var(--text-13); }
  & .opblock-tag { padding: var(--s3) 0; border-block-end: 1px solid var(--line); font: 600 var(--text-16) / 1.3 var(--sans); }
  & .opblock-tag:hover { background: var(--hover); }
  & .opblock, & .opblock:is(.opblock-get, .opblock-post, .opblock-put, .opblock-patch, .opblock-delete, .opblock-deprecated) { margin: 0 0 var(--s2); border: 1px solid var(--line); border-radius: var(--corner-l); background: var(--sheet); box-shadow: none; }
  & .opblock .opblock-summary { padding: var(--s1) var(--s2); border: 0; }
  & .opblock.is-open .opblock-summary { border-block-end: 1px solid var(--line); }
  & .opblock .opblock-summary:hover { background: var(--hover); border-radius: var(--corner-l); }
  & .opblock .opblock-summary-method { min-inline-size: 4.5rem; padding: 0.25rem 0; border-radius: var(--corner); background: var(--accent-wash); color: var(--accent); font: 600 var(--text-12) / 1.25rem var(--sans); text-shadow: none; }
  & .opblock.opblock-get .opblock-summary-method { background: var(--good-wash); color: var(--good); }
  & .opblock.opblock-delete .opblock-summary-method { background: var(--danger-wash); color: var(--danger); }
  & .opblock:is(.opblock-put, .opblock-patch) .opblock-summary-method { background: var(--amber-wash); color: var(--amber); }
  & .opblock .opblock-summary-path, & .opblock .opblock-summary-path a { font: 500 var(--text-13) / 1.5 var(--mono); }
  & .opblock .opblock-section-header { background: var(--sunken); box-shadow: none; }
  & .opblock .tab-header .tab-item.active h4 span::after { background: var(--accent); }
  & :is(.parameter__name, .prop-name, .response-col_status, .model, .model *, code, pre, .prop) { font-family: var(--mono); }
  & .parameter__name.required span, & .parameter__name.required::after { color: var(--danger); }
  & :is(.markdown, .renderedMarkdown) code { padding: 0.1em 0.35em; border-radius: 4px; background: color-mix(in srgb, var(--ink) 6%, transparent); color: var(--ink); font-size: 0.85em; font-weight: 400; }
  & :is(pre, .highlight-code > .microlight, .microlight, .curl, .opblock-body pre.microlight, .example) { border-radius: var(--corner-l); background: var(--sunken) !important; color: var(--ink) !important; }
  & .microlight :is(span, code) { color: var(--ink) !important; font: 400 var(--text-13) / 1.6 var(--mono); }
  & :is(.btn, button.btn) { min-block-size: var(--control); border: 1px solid var(--line-strong); border-radius: var(--corner); background: var(--sheet); box-shadow: none; color: var(--ink); font: 500 var(--text-13) / 1.25rem var(--sans); }
  & .btn:hover { background: var(--hover); }
  & .btn:is(.authorize, .execute) { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
  & .btn:is(.authorize, .execute) :is(span, svg) { color: inherit; fill: currentColor; }
  & .btn.cancel { border-color: var(--danger); color: var(--danger); }
  & :is(input, select, textarea) { min-block-size: var(--control); border: 1px solid var(--line-strong); border-radius: var(--corner); background-color: var(--sheet); box-shadow: none; color: var(--ink); font-size: var(--text-14); }
  & textarea { font-family: var(--mono); font-size: var(--text-13); }
  & :is(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
  & :is(section.models, section.models .model-container, .model-box) { border: 0; background: var(--sunken); border-radius: var(--corner-l); }
  & section.models { border: 1px solid var(--line); }
  & section.models h4 { border: 0; }
  & section.models h4 :is(span, svg), & .opblock-summary-control svg, & .expand-operation svg { color: var(--ink); fill: var(--soft); }
  & .expand-operation { background: transparent; }
  & :is(.authorization__btn svg, .opblock-control-arrow svg, .arrow) { fill: var(--soft); }
  & :is(.dialog-ux .modal-ux, .dialog-ux .modal-ux-header) { border-color: var(--line); background: var(--sheet); color: var(--ink); }
  & .dialog-ux .modal-ux { border-radius: var(--corner-sheet); box-shadow: var(--float); }
  & :is(table tbody tr td, .responses-inner h4, table thead tr :is(td, th), .auth-container) { border-color: var(--line); }
  & .loading-container .loading::before { border-color: var(--line); border-block-start-color: var(--accent); }
  & .filter .operation-filter-input { border-color: var(--line-strong); }
}
@media (width < 56rem) {
  :root:root:root:root .swagger-ui {
    & .opblock .opblock-summary-description { display: none; }
    & .opblock .opblock-summary-path { max-inline-size: none; overflow-wrap: anywhere; }
    & :is(.table-container, .responses-wrapper, .opblock-body) { max-inline-size: 100%; overflow-x: auto; }
    & :is(code, .info) { overflow-wrap: anywhere; }
    & section { padding: 0; }
  }
}
`;
