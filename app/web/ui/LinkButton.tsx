import { Link, type LinkProps } from '@tanstack/react-router';
import css from './Button.module.css';
import { Icon, type IconName } from './Icon.tsx';

interface LinkButtonProps extends Pick<LinkProps, 'to' | 'search' | 'children'> {
  icon?: IconName;
  look?: 'plain' | 'strong';
}

/** A way to another view that looks like what one would press next. */
export function LinkButton({ icon, look = 'plain', children, ...to }: LinkButtonProps) {
  return (
    <Link {...to} className={`${css['button']} ${css[look]}`}>
      <>
        {icon && <Icon name={icon} />}
        {children}
      </>
    </Link>
  );
}
