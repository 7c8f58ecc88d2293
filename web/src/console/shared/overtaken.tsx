import { Button } from '../../shared/components/controls.js';

interface OvertakenProps {
  /** What somebody else changed. */
  readonly what: string;
  readonly onTakeOver: () => void;
}

/** Says that somebody else was faster with a change, and that nothing of one's own is saved or lost. */
export function Overtaken({ what, onTakeOver }: OvertakenProps) {
  return (
    <div className="notice warn" role="alert">
      <p>Somebody else changed {what} meanwhile. Nothing of yours is saved yet.</p>
      <Button onPress={onTakeOver}>Take that over, and keep what I changed</Button>
    </div>
  );
}
