import type { DiagramReply } from '../ui/reading/typeset/diagram-reply.ts';

/** A style sheet that stands last in each picture: nothing moves, whatever the diagram wants. */
const AT_REST = '*{animation:none!important;transition:none!important}';

/** What was drawn as a file of its own, as large as its picture is. */
export function standalone(svg: SVGSVGElement | null): DiagramReply {
  const { width = 0, height = 0 } = svg?.viewBox.baseVal ?? {};
  if (!svg || width <= 0 || height <= 0) return { failed: 'there is nothing in it to draw' };
  svg.removeAttribute('style');
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  const style = document.createElementNS(svg.namespaceURI, 'style');
  style.textContent = AT_REST;
  svg.append(style);
  return {
    svg: new XMLSerializer().serializeToString(svg),
    width: Math.ceil(width),
    height: Math.ceil(height),
  };
}
