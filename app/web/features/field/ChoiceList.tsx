import { type ReactNode, useEffect, useRef } from 'react';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import { MemoryWords } from '../../ui/reading/MemoryWords.tsx';
import { NamespaceDot } from '../namespaces/NamespaceDot.tsx';
import { type Choice, idOf, type Section } from './choices.ts';
import css from './FieldView.module.css';
import { anatomyOfHit, type FieldHit } from './hit.ts';

interface ListProps {
  /** Before the ids of the options. */
  id: string;
  sections: readonly Section[];
  /** The memory whose actions these are. */
  acting: FieldHit | undefined;
  chosen: string | undefined;
  /** Where thoughts go. */
  home: string | undefined;
  /** A choice was pointed at. */
  onPoint: (id: string) => void;
  onAct: (choice: Choice) => void;
  /** Asks for what can be done to a memory. */
  onMore: (hit: FieldHit) => void;
}

/** The choices below the field; the focus stays in it. */
export function ChoiceList({ id, sections, acting, chosen, home, onPoint, onAct, onMore }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const all = sections.flatMap(({ choices }) => choices);
  const title = acting && (acting.title === '' ? acting.key : acting.title);
  return (
    <div
      ref={list}
      className={css['list']}
      role="listbox"
      // Browsers let Tab stop at what scrolls; here the arrows move in it.
      tabIndex={-1}
      id={`${id}-list`}
      aria-label={title ?? 'What fits'}
      onPointerDown={stayInField}
    >
      {sections.map(({ heading, choices }) => (
        <div key={heading} role="group" aria-label={title ?? heading} className={css['group']}>
          <div className={css['heading']} aria-hidden="true" dir={title === undefined ? undefined : 'auto'}>
            {title ?? heading}
          </div>
          {choices.map((choice) => {
            const own = idOf(choice);
            return (
              <div
                key={own}
                id={`${id}-${all.indexOf(choice)}`}
                role="option"
                aria-selected={own === chosen}
                className={css['item']}
                onPointerMove={(event) => event.pointerType === 'mouse' && own !== chosen && onPoint(own)}
                onClick={() => onAct(choice)}
              >
                <Line of={choice} home={home} />
                {choice.kind === 'hit' && (
                  // Beside the button at the foot and the keys: where one points.
                  <span
                    className={css['more']}
                    aria-hidden="true"
                    onClick={(event) => {
                      event.stopPropagation();
                      onMore(choice.hit);
                    }}
                  >
                    <Icon name="more" />
                  </span>
                )}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function stayInField(event: { preventDefault: () => void }): void {
  event.preventDefault();
}

function Line({ of, home }: { of: Choice; home: string | undefined }) {
  switch (of.kind) {
    case 'hit':
      return <HitLine hit={of.hit} />;
    case 'entry': {
      const { icon, namespace, verb, label, shortcut } = of.entry;
      return (
        <>
          {namespace === undefined ? (
            <Icon name={icon} />
          ) : (
            <span className={css['dot']}>
              <NamespaceDot of={namespace} />
            </span>
          )}
          <span className={css['what']} dir="auto">
            <span>
              {verb !== undefined && <span className={css['verb']}>{verb} </span>}
              {label}
            </span>
          </span>
          {shortcut !== undefined && <kbd>{shortcut}</kbd>}
        </>
      );
    }
    case 'ask':
      return (
        <Words icon="ask">
          Ask “<bdi>{of.question}</bdi>”
        </Words>
      );
    case 'whole':
      return <Words icon="ask">Show the whole answer</Words>;
    case 'search':
      return (
        <Words icon="search">
          Search all namespaces for “<bdi>{of.text}</bdi>”
        </Words>
      );
    case 'keep':
      return (
        <>
          <Words icon="plus">
            Keep it as a thought
            {home !== undefined && (
              <>
                {' '}
                in <bdi>{home}</bdi>
              </>
            )}
          </Words>
          <kbd>Ctrl ↵</kbd>
        </>
      );
  }
}

function Words({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <>
      <Icon name={icon} />
      <span className={css['what']}>
        <span className={css['title']}>{children}</span>
      </span>
    </>
  );
}

function HitLine({ hit }: { hit: FieldHit }) {
  return (
    <>
      <Icon name="note" />
      <span className={css['what']}>
        <MemoryWords of={anatomyOfHit(hit)} lines={2} />
      </span>
      <span className={css['aside']}>
        <NamespaceDot of={hit.namespace} />
        <bdi>{hit.namespace}</bdi>
      </span>
    </>
  );
}
