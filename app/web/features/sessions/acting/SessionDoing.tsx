import type { CodingSession } from '@reverie/shared/contract/sessions/sessions';
import { Dialog } from '../../../ui/Dialog.tsx';
import { PromptOutline } from '../reader/PromptOutline.tsx';
import type { SessionDialog } from '../reader/SessionHead.tsx';
import { ShareDialog } from '../sharing/ShareDialog.tsx';
import { DeleteSession } from './DeleteSession.tsx';
import { HandOver } from './HandOver.tsx';
import { MoveSession } from './MoveSession.tsx';
import { RenameSession } from './RenameSession.tsx';
import { ResumeSession } from './ResumeSession.tsx';

interface SessionDoingProps {
  doing: SessionDialog;
  session: CodingSession;
  prompts: readonly { id: string; text: string }[];
  onJump: (entry: string) => void;
  onClose: () => void;
}

/** The window of what is being done with a session; fetched when the first one opens. */
export default function SessionDoing({ doing, session, prompts, onJump, onClose }: SessionDoingProps) {
  const of = { session, onClose };
  switch (doing) {
    case 'share':
      return <ShareDialog {...of} />;
    case 'handover':
      return <HandOver {...of} />;
    case 'resume':
      return <ResumeSession {...of} />;
    case 'rename':
      return <RenameSession {...of} />;
    case 'move':
      return <MoveSession {...of} />;
    case 'delete':
      return <DeleteSession {...of} />;
    case 'asked':
      return (
        <Dialog title="What was asked" onClose={onClose}>
          <PromptOutline
            isWindow
            prompts={prompts}
            current={undefined}
            onJump={(entry) => {
              onClose();
              onJump(entry);
            }}
          />
        </Dialog>
      );
  }
}
