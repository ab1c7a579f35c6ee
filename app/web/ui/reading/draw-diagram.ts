import mermaid from 'mermaid';

/** A picture of a diagram: it runs nothing and fetches nothing, whatever its source says. */
export interface Drawing {
  src: string;
  width: number;
  height: number;
}

const FONT = 'system-ui, sans-serif';
/** An attribute of style, and as what it waits. */
const STYLE = ' style="';
const WAITING = ' data-style="';
let drawings = 0;
let last: Promise<unknown> = Promise.resolve();

/** Draws a diagram on white paper, in either theme; one after the other, as mermaid wants it. Rejects what is no diagram. */
export function drawDiagram(text: string): Promise<Drawing> {
  const drawing = last.then(() => drawNow(text));
  last = drawing.catch(() => undefined);
  return drawing;
}

async function drawNow(text: string): Promise<Drawing> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    maxTextSize: 20_000,
    maxEdges: 300,
    htmlLabels: false,
    deterministicIds: true,
    theme: 'neutral',
    fontFamily: FONT,
    // What a note may not say itself.
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'suppressErrorRendering',
      'maxEdges',
      'htmlLabels',
      'theme',
      'themeCSS',
      'themeVariables',
      'fontFamily',
    ],
  });
  // It measures its texts here, in the letters in which the picture shows them.
  const place = document.createElement('div');
  place.style.cssText = `position: fixed; inset: 0 auto auto -4000px; inline-size: 800px; font: 16px ${FONT}`;
  document.body.append(place);
  const stopStyling = styleAsAllowed();
  try {
    const { svg } = await mermaid.render(`diagram${(drawings += 1)}`, text, place);
    const { x, y, width, height } = boundsOf(svg, place);
    const styled = svg
      .replaceAll(/<(\/?)metadata(?=[\s>])/gu, '<$1style')
      .replaceAll(WAITING, STYLE)
      .replace(/^<svg [^>]*>/u, (head) => head.replaceAll(/ (?:width|height|viewBox|style)="[^"]*"/gu, ''))
      .replace('<svg ', `<svg viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}" `);
    return { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(styled)}`, width, height };
  } finally {
    stopStyling();
    place.remove();
  }
}

/** Around a picture, in its units. */
const MARGIN = 8;

/** Where what was drawn stands: mermaid measures before everything is in its place. A plan has its line for today far from all else. */
function boundsOf(svg: string, place: HTMLElement) {
  const [, ...given] =
    /^<svg [^>]*viewBox="(\S+) (\S+) (\S+) (\S+)"[^>]*roledescription="gantt"/u.exec(svg) ?? [];
  const [left, top, across, down] = given.map(Number);
  if (left !== undefined && top !== undefined && across !== undefined && down !== undefined)
    return { x: left, y: top, width: across, height: down };
  const drawn = document.importNode(
    new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement,
    true,
  );
  place.append(drawn);
  const box = drawn instanceof SVGGraphicsElement ? drawn.getBBox() : { x: 0, y: 0, width: 0, height: 0 };
  const [width, height] = [Math.ceil(box.width) + 2 * MARGIN, Math.ceil(box.height) + 2 * MARGIN];
  return { x: Math.floor(box.x) - MARGIN, y: Math.floor(box.y) - MARGIN, width, height };
}

/**
 * The policy of the page allows no styles within it, which mermaid writes while it measures and cleans what it drew. Meanwhile attributes
 * are set by their object, as is allowed; a sheet waits in an element that does nothing, and styles that are parsed under another name, until
 * they are in the picture. Answers how that ends.
 */
function styleAsAllowed(): () => void {
  const { setAttribute } = Element.prototype;
  const { parseFromString } = DOMParser.prototype;
  Object.assign(document, {
    createElement: (name: string) =>
      name === 'style'
        ? document.createElementNS('http://www.w3.org/2000/svg', 'metadata')
        : document.createElementNS('http://www.w3.org/1999/xhtml', name.toLowerCase()),
  });
  Element.prototype.setAttribute = function (name, value) {
    if (name === 'style' && (this instanceof SVGElement || this instanceof HTMLElement))
      this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };
  // A text may come as one that is trusted (Trusted Types).
  DOMParser.prototype.parseFromString = function (text: unknown, type) {
    return parseFromString.call(this, String(text).replaceAll(STYLE, WAITING), type);
  };
  return () => {
    Reflect.deleteProperty(document, 'createElement');
    Element.prototype.setAttribute = setAttribute;
    DOMParser.prototype.parseFromString = parseFromString;
  };
}
