import css from './ModelsView.module.css';

interface BeyondProps {
  server: string;
  /** What goes there, in words; empty where nothing was chosen yet. */
  sent: readonly string[];
  agreed: boolean;
  onAgree: (agreed: boolean) => void;
}

/** Asks whether something may leave this machine, and says what. */
export function Beyond({ server, sent, agreed, onAgree }: BeyondProps) {
  return (
    <div className={css['beyond']}>
      <p>
        <strong>This leaves your machine.</strong> What is sent to <bdi>{server}</bdi>:
      </p>
      <ul>
        {sent.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      {server.startsWith('http:') && <p>The way there is not encrypted: others on it can read it.</p>}
      <label>
        <input type="checkbox" checked={agreed} onChange={() => onAgree(!agreed)} />
        <span>I agree that this is sent there</span>
      </label>
    </div>
  );
}
