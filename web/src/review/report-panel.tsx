import { useEffect, useState } from 'react';
import { Button } from '../shared/components/controls.js';
import type { DeskPart } from './desk-part.js';
import { FaultNotice } from './fault-notice.js';
import type { DraftState } from './draft-state.js';
import { OutlineDesk } from './outline-desk.js';
import { dropDraft, shownFirst, useDraftStart } from './use-draft.js';
import { isGone, usePicture, useReport } from './use-report.js';

interface ReportPanelProps extends DeskPart {
  readonly reportId: string;
  readonly onWork: (isChanged: boolean) => void;
  readonly onDraft: (state: DraftState) => void;
  readonly onTaken: () => void;
  readonly onDecided: () => void;
  readonly onRecorded: () => void;
  /** Another photo of the wound. */
  readonly show: (reportId: string) => void;
}

/** One report: reads it with its photo and the draft of whoever sits here, and shows them. What is on the screen changes when its person says so. */
export function ReportPanel(props: ReportPanelProps) {
  const { reportId, onWork, onDraft, onTaken, onDecided, onRecorded, show, ...part } = props;
  const { answer, fault, retry, read, adopt } = useReport(reportId);
  const start = useDraftStart(part.session, reportId);
  const [chosen, showTissue] = useState<boolean | null>(null);
  const wasShown = start !== null && shownFirst(start)?.work.screen.isTissueShown === true;
  const isTissueShown = (chosen ?? wasShown) && answer?.data.findings.tissue !== null;
  const [said, say] = useState('');
  const [gone, setGone] = useState<'own' | 'others' | null>(null);
  const onGone = (isOwn: boolean) => {
    setGone(isOwn ? 'own' : 'others');
    // Which photos there are now; after an own decision that is read anyway.
    if (!isOwn) onRecorded();
  };
  const picture = usePicture(reportId, isTissueShown ? 'tissue' : 'photo');
  const { session } = part;
  const isLost = gone !== null || isGone(fault);
  useEffect(() => {
    // By then the desk of the report, and what kept its draft, is left.
    if (isLost) dropDraft(reportId, session);
  }, [isLost, reportId, session]);
  if (gone !== null) return <GoneReport {...{ said, onDraft }} isOwn={gone === 'own'} words={part.words} />;
  if (answer === null || start === null)
    return (
      <>
        <FaultNotice fault={fault} words={part.words} />
        {fault === null ? null : (
          <div className="desk-tools">
            <Button onPress={retry}>{part.words.tryAgain}</Button>
          </div>
        )}
      </>
    );
  const tissue = { isShown: isTissueShown, show: showTissue };
  return (
    <OutlineDesk
      {...part}
      {...{
        answer,
        picture,
        start,
        tissue,
        read,
        adopt,
        onWork,
        onDraft,
        onTaken,
        onDecided,
        onRecorded,
        show,
        said,
        say,
        onGone,
      }}
    />
  );
}

interface GoneProps extends Pick<ReportPanelProps, 'onDraft'>, Pick<DeskPart, 'words'> {
  readonly said: string;
  /** By the decision that was made here: what came of it is said. */
  readonly isOwn: boolean;
}

/** In the place of a report that is not one of this desk any more: nothing of it stays on the screen, nor is anything kept that was drawn about it. */
function GoneReport({ said, isOwn, onDraft, words }: GoneProps) {
  useEffect(() => onDraft({ kind: 'none' }), [onDraft]);
  if (isOwn) return <p role="status">{said}</p>;
  return (
    <div className="notice bad" role="alert">
      {words.gone}
    </div>
  );
}
