import type { GraphLink, GraphNode } from '@reverie/shared/contract/graph';
import { useEffect, useRef, useState } from 'react';
import Sigma from 'sigma';
import { useStore } from '../../platform/store.ts';
import { theme } from '../../platform/theme.ts';
import { Banner } from '../../ui/Message.tsx';
import { laidOut, type Palette } from './layout.ts';
import css from './Picture.module.css';

interface PictureProps {
  nodes: readonly GraphNode[];
  links: readonly GraphLink[];
  /** A memory was clicked. */
  onChoose: (key: string) => void;
}

/** The graph as a picture; a click on a memory makes it the centre. What it shows stands in the list beside it, too. */
export default function Picture({ nodes, links, onChoose }: PictureProps) {
  const box = useRef<HTMLDivElement>(null);
  const choose = useRef(onChoose);
  const [failed, setFailed] = useState(false);
  const look = useStore(theme);
  useEffect(() => {
    choose.current = onChoose;
  });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    try {
      const palette = paletteOf(element);
      const picture = new Sigma(laidOut(nodes, links, palette), element, {
        labelColor: { color: colorOf(element, '--ink') },
        labelFont: getComputedStyle(element).fontFamily,
        labelSize: 12,
        // Every memory has a name; where there is no room for all of them the nearer ones are told.
        labelRenderedSizeThreshold: 0,
        labelDensity: 3,
        labelGridCellSize: 120,
        renderEdgeLabels: false,
        zIndex: true,
      });
      picture.on('clickNode', ({ node }) => choose.current(node));
      picture.on('enterNode', () => (element.style.cursor = 'pointer'));
      picture.on('leaveNode', () => (element.style.cursor = ''));
      return () => picture.kill();
    } catch {
      // No WebGL here: the list beside it says the same.
      setFailed(true);
      return undefined;
    }
    // The colours are resolved anew when the theme changes.
  }, [nodes, links, look]);
  if (failed)
    return (
      <Banner tone="plain">
        This browser cannot draw the picture (it needs WebGL). The list shows the same.
      </Banner>
    );
  return (
    <div
      ref={box}
      className={css['picture']}
      role="img"
      aria-label={`A picture of ${nodes.length} memories`}
    />
  );
}

function colorOf(element: HTMLElement, name: string): string {
  // `light-dark()` is resolved in a property only, and as a colour that WebGL can read.
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}

function paletteOf(element: HTMLElement): Palette {
  const color = (name: string) => colorOf(element, name);
  const [good, violet] = [color('--good'), color('--violet')];
  return {
    center: color('--accent'),
    near: violet,
    far: color('--line-strong'),
    link: {
      link: color('--soft'),
      similar: color('--line'),
      fact: good,
      session: color('--line-strong'),
      insight: violet,
    },
    own: {
      link: color('--ink'),
      similar: color('--accent'),
      fact: good,
      session: color('--soft'),
      insight: violet,
    },
  };
}
