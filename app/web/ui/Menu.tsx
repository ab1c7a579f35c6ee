import { ContextMenu, DropdownMenu } from 'radix-ui';
import { createContext, use, useRef, type ReactElement, type ReactNode, type RefObject } from 'react';
import { BareIconButton } from './Button.tsx';
import { Icon, type IconName } from './Icon.tsx';
import css from './Menu.module.css';

/** Which of both kinds of menu an item stands in; they have the same parts. */
const Kind = createContext<Pick<typeof DropdownMenu, 'Item' | 'Separator'>>(DropdownMenu);

/** What was chosen; done when the menu has closed and its button has the focus again, so that it can go back there. */
const Chosen = createContext<RefObject<(() => void) | undefined>>({ current: undefined });

interface MenuProps {
  icon?: IconName;
  label?: string;
  /** What opens it, where that is more than a drawing. */
  button?: ReactElement;
  /** Where its button was pressed before the menu was there. */
  isOpenAtFirst?: boolean;
  children: ReactNode;
}

/**
 * A button with a menu. Not modal: a modal one would lock scrolling by a style element, which the CSP blocks. No
 * portal: so it stays in the landmark of its button.
 */
export function Menu({ icon = 'more', label = 'More', button, isOpenAtFirst = false, children }: MenuProps) {
  const chosen = useRef<() => void>(undefined);
  const trigger = useRef<HTMLButtonElement>(null);
  const onClosed = (event: Event) => {
    const act = chosen.current;
    if (!act) return;
    event.preventDefault();
    chosen.current = undefined;
    trigger.current?.focus();
    act();
  };
  return (
    <DropdownMenu.Root modal={false} defaultOpen={isOpenAtFirst}>
      <DropdownMenu.Trigger ref={trigger} asChild>
        {button ?? <BareIconButton icon={icon} label={label} />}
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        className={css['menu']}
        align="end"
        sideOffset={6}
        collisionPadding={8}
        onCloseAutoFocus={onClosed}
      >
        <Chosen value={chosen}>{children}</Chosen>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

interface ContextProps {
  /** What is right-clicked, pressed long, or asked by the Menu key. */
  children: ReactNode;
  items: ReactNode;
  /** Before it opens: tells where it was asked for. */
  onAsk: (target: Element) => void;
}

/** The menu of a place, at the pointer. What was chosen is done when it has closed and the place has the focus again. */
export function MenuAt({ children, items, onAsk }: ContextProps) {
  const chosen = useRef<() => void>(undefined);
  const onClosed = () => {
    const act = chosen.current;
    chosen.current = undefined;
    // After the focus went back, so that what opens now can give it back, too.
    if (act) queueMicrotask(act);
  };
  const ask = ({ target }: { target: EventTarget }) => {
    if (target instanceof Element) onAsk(target);
  };
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger
        className={css['place']}
        onContextMenu={ask}
        // A long press opens it without such an event.
        onPointerDown={(event) => event.pointerType !== 'mouse' && ask(event)}
      >
        {children}
      </ContextMenu.Trigger>
      <ContextMenu.Content className={css['menu']} collisionPadding={8} onCloseAutoFocus={onClosed}>
        <Kind value={ContextMenu}>
          <Chosen value={chosen}>{items}</Chosen>
        </Kind>
      </ContextMenu.Content>
    </ContextMenu.Root>
  );
}

interface ItemProps {
  icon?: IconName;
  shortcut?: string;
  danger?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, shortcut, danger = false, onSelect, children }: ItemProps) {
  const chosen = use(Chosen);
  const { Item } = use(Kind);
  const choose = () => {
    chosen.current = onSelect;
  };
  return (
    <Item className={`${css['item']} ${danger ? css['danger'] : ''}`} onSelect={choose}>
      {icon ? <Icon name={icon} /> : <span className={css['gap']} />}
      <span className={css['label']}>{children}</span>
      {shortcut && <kbd>{shortcut}</kbd>}
    </Item>
  );
}

export function MenuLine() {
  const { Separator } = use(Kind);
  return <Separator className={css['line']} />;
}
