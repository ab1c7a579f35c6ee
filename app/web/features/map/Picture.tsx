import { useEffect, useRef, useState } from 'react';
import Sigma from 'sigma';
import { useStore } from '../../platform/store.ts';
import { theme } from '../../platform/theme.ts';
import { Banner } from '../../ui/Message.tsx';
import { type Drawn, laidOut, type LinkLook, type NodeLook, type Palette } from './layout.ts';
import css from './Picture.module.css';
import { createRoom, LINE, type Room } from './room.ts';

interface PictureProps {
  of: Drawn;
  /** A memory, or the name of a group, was clicked. */
  onChoose: (id: string) => void;
}

/** The graph as a picture. What it shows stands in the list beside it, too. */
export default function Picture({ of, onChoose }: PictureProps) {
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
      return draw(element, of, (id) => choose.current(id));
    } catch {
      // No WebGL here: the list beside it says the same.
      setFailed(true);
      return undefined;
    }
    // The colours are resolved anew when the theme changes.
  }, [of, look]);
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
      aria-label={`A picture of ${of.nodes.length} memories`}
    />
  );
}

const SIZE = 12;

function draw(element: HTMLElement, of: Drawn, onChoose: (id: string) => void): () => void {
  const font = getComputedStyle(element).fontFamily;
  const [ink, soft, sheet, line, accent] = ['--ink', '--soft', '--sheet', '--line-strong', '--accent'].map(
    (name) => colorOf(element, name),
  );
  // It draws once while it is made, when nobody can be asked where anything stands.
  const frame: { room?: Room | undefined; makeRoom?: () => Room } = {};
  const picture = new Sigma<NodeLook, LinkLook>(laidOut(of, paletteOf(element)), element, {
    // Each asks for its label, in the order of its weight; which have room is decided where they are drawn.
    labelDensity: 0,
    labelRenderedSizeThreshold: Number.POSITIVE_INFINITY,
    renderEdgeLabels: false,
    stagePadding: 48,
    zIndex: true,
    defaultDrawNodeLabel(context, { x, y, size, label, isGroup }) {
      if (!label) return;
      context.font = `${isGroup ? 600 : 400} ${SIZE}px ${font}`;
      // Only here it is known where everything stands in this frame.
      frame.room ??= frame.makeRoom?.();
      const place = frame.room?.place({ x, y, size }, context.measureText(label).width);
      if (!place) return;
      context.fillStyle = (isGroup ? soft : ink) ?? '';
      context.fillText(label, place.left, place.bottom - (LINE - SIZE) / 2 - 2);
    },
    defaultDrawNodeHover(context, { x, y, size, isGroup, ...rest }) {
      const name = String(rest['name']);
      context.font = `${isGroup ? 600 : 400} ${SIZE}px ${font}`;
      const width = Math.min(context.measureText(name).width, element.clientWidth - 32);
      const left = Math.max(6, Math.min(x + size + 4, element.clientWidth - width - 22));
      context.fillStyle = sheet ?? '';
      context.strokeStyle = line ?? '';
      context.beginPath();
      context.roundRect(left, y - 13, width + 16, 26, 6);
      context.fill();
      context.stroke();
      context.fillStyle = ink ?? '';
      context.fillText(name, left + 8, y + 4, width);
    },
  });
  frame.makeRoom = () => {
    const points = picture.getGraph().mapNodes((id) => {
      const at = picture.getNodeDisplayData(id);
      return at
        ? { ...picture.framedGraphToViewport(at), size: picture.scaleSize(at.size) }
        : { x: 0, y: 0, size: 0 };
    });
    return createRoom(picture.getDimensions(), points);
  };
  const { nodes } = of;
  if (of.center !== undefined) {
    // The middle stays in the middle, however the others lie.
    const graph = picture.getGraph();
    const far = Math.max(1, ...graph.mapNodes((_, { x, y }) => Math.max(Math.abs(x), Math.abs(y))));
    picture.setCustomBBox({ x: [-far, far], y: [-far, far] });
  }
  let pointed: string | undefined;
  // What is pointed at is seen with what it hangs together with.
  picture.setSetting('edgeReducer', (edge, look) => {
    if (pointed === undefined) return look;
    const isOwn = picture.getGraph().hasExtremity(edge, pointed);
    return isOwn
      ? { ...look, color: accent ?? '', size: 2, zIndex: 2 }
      : { ...look, hidden: nodes.length > 40 };
  });
  const point = (id: string | undefined) => {
    pointed = id;
    element.style.cursor = id === undefined ? '' : 'pointer';
    picture.refresh({ skipIndexation: true });
  };
  picture.on('beforeRender', () => (frame.room = undefined));
  picture.on('clickNode', ({ node }) => onChoose(node));
  picture.on('enterNode', ({ node }) => point(node));
  picture.on('leaveNode', () => point(undefined));
  picture.refresh();
  return () => picture.kill();
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
    note: violet,
    group: color('--amber'),
    member: color('--line-strong'),
    link: {
      link: color('--soft'),
      similar: color('--line-strong'),
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
