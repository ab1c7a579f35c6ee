import { strategies } from '@reverie/shared/contract/dreams/dream-strategies';
import { useState, type ReactNode } from 'react';
import { type Place, useGo, usePlace } from '../../platform/place.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { Frame } from '../../ui/Frame.tsx';
import { Split, SplitBody } from '../../ui/lists/Split.tsx';
import css from './DreamsView.module.css';
import { DreamTools } from './DreamTools.tsx';
import { GroupDialog } from './GroupDialog.tsx';
import { Health } from './Health.tsx';
import { InsightDetail } from './InsightDetail.tsx';
import { InsightList } from './InsightList.tsx';
import { Jobs } from './Jobs.tsx';
import { type InsightFilter, shelves } from './queries.ts';
import { SnoozeDialog } from './SnoozeDialog.tsx';
import { StartDream } from './StartDream.tsx';
import { useWorkingOff } from './working-off.ts';

interface DreamsProps {
  namespaces: readonly string[];
  namespace: string;
  canWrite: boolean;
  /** Below the list. */
  foot?: ReactNode;
}

/** What dreams proposed, one by one, to be accepted or rejected; beside it the jobs and how tidy the namespace is. */
export default function DreamsView({ namespaces, namespace, canWrite, foot }: DreamsProps) {
  const place = usePlace();
  const go = useGo('/dreams');
  const [isStarting, setStarting] = useState(false);
  const filter = filterOf(place);
  const isOpen = place.insight !== undefined || place.panel !== undefined;
  const isAtDesk = place.panel === undefined;
  // What was asked for stands before what the desk opened in the same moment.
  const openId = isAtDesk ? place.insight : undefined;
  const desk = useWorkingOff({ filter, openId, canWrite, go, isAtDesk });
  const close = () => go({ insight: undefined, panel: undefined });
  const showJobs = () => go({ insight: undefined, panel: 'health' });
  const start = () => setStarting(true);
  const onStart = canWrite ? start : undefined;
  useShortcuts({ n: () => onStart?.(), Escape: () => isOpen && close() });
  const overview = <Overview namespace={namespace} canWrite={canWrite} onStart={start} onClose={close} />;
  const detail =
    openId === undefined ? (
      place.panel === 'health' && overview
    ) : (
      <InsightDetail
        key={openId}
        id={openId}
        canWrite={canWrite}
        isBusy={desk.isBusy}
        onDecide={desk.decide}
        onSnooze={desk.ask}
        onClose={close}
      />
    );
  return (
    <>
      <Split
        labels={['Insights', 'Open insight']}
        isOpen={isOpen}
        isAlone={desk.isEmpty && 'with-tools'}
        foot={foot}
        tools={
          <DreamTools
            namespaces={namespaces}
            filter={filter}
            onStart={onStart}
            place={desk.where}
            onShowJobs={showJobs}
          />
        }
        list={
          <SplitBody>
            <InsightList
              filter={filter}
              namespace={namespace}
              onStart={onStart}
              openId={openId}
              onOpen={({ id }) => go({ insight: id, panel: undefined }, { replace: true })}
              onGroup={desk.onGroup}
              onShowJobs={showJobs}
            />
          </SplitBody>
        }
        detail={detail}
      />
      <AskedFor desk={desk} />
      {isStarting && (
        <StartDream namespace={namespace} onClose={() => setStarting(false)} onStarted={showJobs} />
      )}
    </>
  );
}

/** What is asked before it is decided: until when, or whether all of a kind. */
function AskedFor({ desk }: { desk: ReturnType<typeof useWorkingOff> }) {
  const { asked, all, decide, onAsked, onDecidedAll } = desk;
  switch (asked?.kind) {
    case 'snooze':
      return (
        <SnoozeDialog
          onChoose={(until) => decide(asked.insight, { to: 'snooze', until })}
          onClose={onAsked}
        />
      );
    case 'group':
      return (
        <GroupDialog
          heading={asked.heading}
          insights={asked.insights}
          deciding={all.decide}
          onDecided={onDecidedAll}
          onClose={onAsked}
        />
      );
    case undefined:
      return null;
  }
}

/** What the address asks for: all namespaces where it names none, for who decides does not ask first where to. */
function filterOf({ namespace, status, strategy }: Place): InsightFilter {
  return {
    namespace: namespace === '*' ? undefined : namespace,
    shelf: shelves.find((one) => one === status) ?? 'waiting',
    strategy: strategies.find((one) => one === strategy),
  };
}

interface OverviewProps extends Pick<DreamsProps, 'namespace' | 'canWrite'> {
  onStart: () => void;
  onClose: () => void;
}

/** How tidy a namespace is, and what dreams it had. */
function Overview({ namespace, canWrite, onStart, onClose }: OverviewProps) {
  return (
    <Frame title={`How tidy ${namespace} is`} onClose={onClose}>
      <div className={css['overview']}>
        <Health namespace={namespace} />
        <Jobs namespace={namespace} canWrite={canWrite} onStart={onStart} />
      </div>
    </Frame>
  );
}
