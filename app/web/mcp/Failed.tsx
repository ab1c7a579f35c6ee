import { Button } from '../ui/Button.tsx';
import css from './InChat.module.css';

/** What stands where something could not be loaded. */
export function Failed({ why, onAgain }: { why: string; onAgain: () => void }) {
  return (
    <div className={css['part']} role="alert">
      <p className={css['said']}>{why}</p>
      <p>
        <Button onClick={onAgain}>Try again</Button>
      </p>
    </div>
  );
}
