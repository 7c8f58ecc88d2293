import { useState } from 'react';
import { CourseVerdict } from './course-verdict.js';
import { FaultNotice } from './fault-notice.js';
import { OutlineDesk } from './outline-desk.js';
import type { DeskSession } from './types.js';
import { usePicture, useReport } from './use-report.js';
import type { Words } from './words/en.js';

export interface DeskPart {
  readonly session: DeskSession;
  readonly words: Words;
  readonly language: string;
}

interface ReportPanelProps extends DeskPart {
  readonly reportId: string;
  readonly onWork: (isChanged: boolean) => void;
  readonly onDecided: () => void;
}

/** One report: reads it with its photo, and shows them. Outlines that a person is editing stay theirs when it is read again. */
export function ReportPanel({ reportId, onWork, onDecided, ...part }: ReportPanelProps) {
  const { answer, fault, readAgain } = useReport(reportId);
  const [isTissueShown, showTissue] = useState(false);
  const photo = usePicture(reportId, isTissueShown ? 'tissue' : 'photo');
  if (answer === null) return <FaultNotice fault={fault} words={part.words} />;
  const tissue = { isShown: isTissueShown, show: showTissue };
  return (
    <>
      <CourseVerdict {...part} reportId={reportId} version={answer.data.version} />
      <OutlineDesk {...part} {...{ answer, photo, tissue, readAgain, onWork, onDecided }} />
    </>
  );
}
