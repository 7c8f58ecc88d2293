import { worklistAddress } from '../shared/worklist-return.js';
import type { DeskPart } from './desk-part.js';

interface WorklistWayProps extends Pick<DeskPart, 'words'> {
  /** The next one is offered after a decision alone: before it this very report may be the first of the list. */
  readonly isDecided: boolean;
}

/** For whoever came from the console's worklist: back to it, and on to the next. In a frame, or by a link from elsewhere, nothing. */
export function WorklistWay({ words, isDecided }: WorklistWayProps) {
  const address = window.top === window ? worklistAddress() : null;
  if (address === null) return null;
  return (
    <>
      <a href={address}>{words.toWorklist}</a>
      {isDecided ? (
        <a className="button primary" href={`${address}&open=next`}>
          {words.nextInWorklist}
        </a>
      ) : null}
    </>
  );
}
