import { useEffect, useState } from 'react';
import { Refusal } from '../shared/api.js';
import { readCurve } from './desk-api.js';
import { FaultNotice } from './fault-notice.js';
import type { DeskPart } from './desk-part.js';
import type { DeskCourse } from './types.js';

interface CurveProps extends Pick<DeskPart, 'words' | 'language'> {
  /** null: there is nothing to compare, or it is not known yet. */
  readonly told: DeskCourse['curve'];
  readonly reportId: string;
  /** The one on the screen: read anew with it, since a decision may change the course. */
  readonly version: number;
}

/** The areas up to this photo as the printed report draws them; their figures stand in the table below. Nothing where there is one area alone. */
export function CourseCurve({ told, reportId, version, words, language }: CurveProps) {
  const [url, setUrl] = useState<string | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  useEffect(() => {
    let made: string | null = null;
    let isWanted = true;
    setFault(null);
    setUrl(null);
    readCurve(reportId, language).then(
      (picture) => {
        if (!isWanted) return;
        made = URL.createObjectURL(picture);
        setUrl(made);
      },
      (refusal: unknown) => {
        const isNone = refusal instanceof Refusal && refusal.code === 'artifact.not_found';
        if (isWanted && !isNone) setFault(refusal);
      },
    );
    return () => {
      isWanted = false;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [reportId, version, language]);
  if (url === null) return <FaultNotice fault={fault} words={words} />;
  return (
    <>
      <img className="desk-curve" src={url} alt={told?.alt ?? words.curve} />
      {told === null || told.events === null ? null : <p>{told.events}</p>}
    </>
  );
}
