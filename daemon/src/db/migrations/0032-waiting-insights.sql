-- What waits for a decision, strongest first: the list of today reads its first few, and its number is counted in the index alone.
CREATE INDEX dream_insights_waiting ON dream_insights (account, score, id, namespace, snoozed_until, strategy, status)
  WHERE status = 'proposed' AND strategy <> 'forecast';
