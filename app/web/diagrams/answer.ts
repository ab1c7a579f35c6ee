import mermaid from 'mermaid';
import type { DiagramReply } from '../ui/reading/typeset/diagram-reply.ts';
import { standalone } from './standalone.ts';
import { whyNot } from './why-not.ts';

/** What a diagram may have of connections; longer sources are not asked for. */
const MOST_EDGES = 300;
/** Letters that a picture has on every machine: it can load none. */
const FONT = 'system-ui, sans-serif';

const INK = '#1e1c19';
/** What stands beside each other in different colours, each a ground on which ink is read, also where the picture is turned over. */
const SIDE_BY_SIDE = [
  '#c6bdf3',
  '#ecd08f',
  '#b0d9ba',
  '#efb9b2',
  '#afd2eb',
  '#dcbae9',
  '#d8d1a5',
  '#c1c8c7',
  '#d9d3f7',
  '#f6dfae',
  '#cde8d3',
  '#f5cfc9',
];

/** The page's own colours in light. */
const COLOURS = {
  background: '#ffffff',
  primaryColor: '#efecfb',
  primaryTextColor: INK,
  primaryBorderColor: '#5b4bc4',
  secondaryColor: '#f0ece4',
  tertiaryColor: '#fbfaf7',
  lineColor: '#5f5b54',
  textColor: INK,
  noteBkgColor: '#fbf1dd',
  noteTextColor: INK,
  noteBorderColor: '#87580c',
  edgeLabelBackground: '#ffffff',
  pieOpacity: '1',
  ...Object.fromEntries(
    SIDE_BY_SIDE.flatMap((colour, at) => [
      [`cScale${at}`, colour],
      [`pie${at + 1}`, colour],
      [`git${at}`, colour],
      [`gitBranchLabel${at}`, INK],
    ]),
  ),
};

const BOUNDS = {
  securityLevel: 'strict',
  startOnLoad: false,
  suppressErrorRendering: true,
  maxTextSize: 20_000,
  maxEdges: MOST_EDGES,
  htmlLabels: false,
  deterministicIds: true,
  theme: 'base',
  themeVariables: COLOURS,
  themeCSS: '',
  fontFamily: FONT,
} as const;

mermaid.initialize({
  ...BOUNDS,
  look: 'classic',
  // What no note may say of itself.
  secure: [...Object.keys(BOUNDS), 'secure', 'dompurifyConfig', 'altFontFamily'],
});

let drawings = 0;

/** Draws a diagram, or says why it cannot. */
export async function answer(text: string): Promise<DiagramReply> {
  const place = document.createElement('div');
  document.body.append(place);
  try {
    const { svg } = await mermaid.render(`diagram${(drawings += 1)}`, text, place);
    place.innerHTML = svg;
    return standalone(place.querySelector('svg'));
  } catch (error) {
    return { failed: whyNot(error, MOST_EDGES) };
  } finally {
    place.remove();
  }
}
