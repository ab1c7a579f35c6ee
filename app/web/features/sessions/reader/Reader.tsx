import type { CodingSession } from '@reverie/shared/contract/sessions/sessions';
import { Suspense, useMemo, useState } from 'react';
import { latePart } from '../../../platform/late-part.ts';
import { useShortcuts } from '../../../platform/shortcuts.ts';
import { countOf } from '../../../platform/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { ReaderActsProvider, type ReaderActs } from './acts.ts';
import { Beside } from './Beside.tsx';
import { Entries } from './entries/Entries.tsx';
import { FindInside } from './FindInside.tsx';
import { PromptOutline } from './PromptOutline.tsx';
import { SessionHead, type SessionDialog } from './SessionHead.tsx';
import css from './SessionView.module.css';
import { useBeginning } from './use-beginning.ts';
import { useEntryLog } from './use-entry-log.ts';
import { useFinding } from './use-finding.ts';
import { useReader } from './use-reader.ts';

const SessionDoing = latePart(() => import('../acting/SessionDoing.tsx'));

interface ReaderProps {
  session: CodingSession;
  canWrite: boolean;
  isOwner: boolean;
  /** What the address names: an entry, and what was looked for. */
  asked: { entry: string | undefined; q: string | undefined };
}

/** A session to be read: what was asked beside it, people and notes on the other side. */
export function Reader({ session, canWrite, isOwner, asked }: ReaderProps) {
  const log = useEntryLog(session.id, session.status === 'live');
  const reader = useReader(log, session.id);
  const { state, jump } = reader;
  const finding = useFinding(session.id, asked.q, jump);
  const [doing, setDoing] = useState<SessionDialog>();
  const [isBeside, setBeside] = useState(false);
  const [noting, setNoting] = useState<string>();
  useBeginning(reader, session.status, asked.entry);
  const canNote = canWrite && session.role !== 'viewer';
  const acts = useMemo<ReaderActs>(
    () => ({
      session: session.id,
      folder: session.folder,
      canNote,
      isOpen: reader.isOpen,
      toggle: reader.toggle,
      whole: (entry) => void log.whole(entry),
      jump,
      noting,
      note: setNoting,
      noted: () => void log.follow(),
      marks: finding.marks,
    }),
    [session.id, session.folder, canNote, reader.isOpen, reader.toggle, log, jump, noting, finding.marks],
  );
  useShortcuts({
    j: () => reader.prompt(1),
    k: () => reader.prompt(-1),
    n: () => reader.failure(1),
    N: () => reader.failure(-1),
    G: reader.toEnd,
    Home: reader.toStart,
    End: reader.toEnd,
    '/': finding.begin,
    b: () => setBeside(!isBeside),
    h: () => setDoing('handover'),
    o: () => setDoing('asked'),
    Escape: () => (finding.isFinding ? finding.end() : setBeside(false)),
  });
  return (
    <ReaderActsProvider value={acts}>
      <div className={css['view']} data-beside={isBeside}>
        <SessionHead
          session={session}
          canWrite={canWrite}
          isOwner={isOwner}
          isBesideOpen={isBeside}
          onDo={setDoing}
          onFind={finding.begin}
          onBeside={() => setBeside(!isBeside)}
        />
        {finding.isFinding && (
          <FindInside {...finding} onType={finding.type} onStep={finding.step} onClose={finding.end} />
        )}
        <PromptOutline prompts={reader.prompts} current={reader.under} onJump={jump} />
        <div className={css['reading']}>
          <Entries reader={reader} title={session.title} />
          {state.unseen > 0 && (
            <div className={css['news']}>
              <Button look="strong" icon="down" onClick={reader.toEnd}>
                {countOf(state.unseen, 'new entry', 'new entries')}
              </Button>
            </div>
          )}
        </div>
        {isBeside && (
          <Beside
            session={session}
            canNote={canNote}
            isOwner={isOwner}
            onShare={() => setDoing('share')}
            onClose={() => setBeside(false)}
          />
        )}
        <Suspense fallback={null}>
          {doing !== undefined && (
            <SessionDoing
              doing={doing}
              session={session}
              prompts={reader.prompts}
              onJump={jump}
              onClose={() => setDoing(undefined)}
            />
          )}
        </Suspense>
      </div>
    </ReaderActsProvider>
  );
}
