import AgentsView from '../../features/agents/AgentsView.tsx';

/** What coding agents were shown, and whether it helped. */
export default function AgentsPage() {
  return <AgentsView />;
}
