import type { CodingSession } from '@reverie/shared/contract/sessions';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useShortcuts } from '../../../platform/shortcuts.ts';
import { Trouble } from '../../../platform/Trouble.tsx';
import { Message, Skeleton } from '../../../ui/Message.tsx';
import { countOf } from '../../../platform/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { VirtualFeed } from '../../../ui/VirtualFeed.tsx';
import { ReaderActsProvider, type ReaderActs } from './acts.ts';
import { Beside } from './Beside.tsx';
import { Entry } from './Entry.tsx';
import { FindInside } from './FindInside.tsx';
import { PromptOutline } from './PromptOutline.tsx';
import { heightOf } from './row-height.ts';
import { SessionHead, type Doing } from './SessionHead.tsx';
import css from './SessionView.module.css';
import { useEntryLog } from './use-entry-log.ts';
import { useFinding } from './use-finding.ts';
import { useReader } from './use-reader.ts';

const SessionDoing = lazy(() => import('../acting/SessionDoing.tsx'));

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
  const { state, rows, feed, jump, begin } = reader;
  const finding = useFinding(session.id, asked.q, jump);
  const [doing, setDoing] = useState<Doing>();
  const [isBeside, setBeside] = useState(false);
  const [noting, setNoting] = useState<string>();
  const began = useRef<string>(undefined);
  useEffect(() => {
    // The first time by the state of the session; later only what a link names.
    if (began.current !== undefined && (asked.entry === undefined || asked.entry === began.current)) return;
    if (began.current === undefined) {
      const start = session.status === 'live' ? 'end' : 'start';
      begin(asked.entry === undefined ? start : { around: asked.entry });
    } else if (asked.entry !== undefined) jump(asked.entry);
    began.current = asked.entry ?? '';
  }, [asked.entry, begin, jump, session.status]);

  const canNote = canWrite && session.role !== 'viewer';
  const acts = useMemo<ReaderActs>(
    () => ({
      session: session.id,
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
    [session.id, canNote, reader.isOpen, reader.toggle, log, jump, noting, finding.marks],
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
  const isFollowing = state.grownBy === 'news' && state.after === null;
  return (
    <ReaderActsProvider value={acts}>
      <div className={css['view']} data-beside={isBeside}>
        <SessionHead
          {...{ session, canWrite, isOwner }}
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
          {rows.length > 0 ? (
            <VirtualFeed
              handle={feed}
              label={`What was said and done in ${session.title}`}
              count={rows.length}
              keyAt={(index) => rows[index]?.key ?? String(index)}
              heightAt={(index) => heightOf(rows[index])}
              follows={isFollowing}
              busy={state.phase === 'loading'}
              onRange={reader.onRange}
              draw={(index) => {
                const row = rows[index];
                return (
                  row && (
                    <Entry row={row} at={index} count={rows.length} isCurrent={row.key === reader.current} />
                  )
                );
              }}
            />
          ) : state.error ? (
            <Trouble error={state.error} retry={() => begin('start')} />
          ) : state.phase === 'loading' ? (
            <Skeleton lines={12} />
          ) : (
            <Message icon="session" title="Nothing was said in it yet">
              <p>What its agent writes down is here within a second.</p>
            </Message>
          )}
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
