import { useCallback, useEffect, useState } from 'react';
import type { Answer } from '../shared/api.js';
import { RefusalNotice } from '../shared/components/refusal-notice.js';
import { readPicture, readReport } from './desk-api.js';
import { OutlineDesk } from './outline-desk.js';
import type { DeskSession, Report } from './types.js';
import type { Words } from './words/en.js';

export interface DeskPart {
  readonly session: DeskSession;
  readonly words: Words;
  readonly language: string;
}

/** One report: reads it with its photo, and shows them. */
export function ReportPanel({ reportId, ...part }: DeskPart & { readonly reportId: string }) {
  const [answer, setAnswer] = useState<Answer<Report> | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [isTissueShown, showTissue] = useState(false);
  const photo = usePicture(reportId, isTissueShown ? 'tissue' : 'photo');
  /** What stands now; outlines that a person is editing stay theirs. */
  const readAgain = useCallback(async () => {
    const read = await readReport(reportId);
    setAnswer(read);
    return read.data;
  }, [reportId]);
  useEffect(() => {
    readAgain().catch(setFault);
  }, [readAgain]);
  if (answer === null) return <RefusalNotice fault={fault} />;
  const tissue = { isShown: isTissueShown, show: showTissue };
  return <OutlineDesk {...part} answer={answer} photo={photo} tissue={tissue} readAgain={readAgain} />;
}

/** An address of the picture inside this page; null while it is read, and where there is none. */
function usePicture(reportId: string, kind: 'photo' | 'tissue'): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    let isWanted = true;
    readPicture(reportId, kind).then(
      (blob) => {
        if (!isWanted) return;
        made = URL.createObjectURL(blob);
        setAddress(made);
      },
      () => isWanted && setAddress(null),
    );
    return () => {
      isWanted = false;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [reportId, kind]);
  return address;
}
