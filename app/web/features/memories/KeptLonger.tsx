import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { keptLonger } from './kept-longer.ts';

/** Says where what is deleted stands for longer, and until when. */
export default function KeptLonger({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="What keeps it longer" onClose={onClose}>
      <p>
        A deleted memory is gone from lists, search, history and earlier events at once, and a minute or two
        later nothing on this machine shows it. These keep what it said for longer:
      </p>
      <Facts rows={keptLonger} />
      <DialogActions>
        <Button data-first onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
