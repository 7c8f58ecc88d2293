import { useCallback, useEffect, useState } from 'react';
import { Refusal, type Answer } from '../shared/api.js';
import { readPicture, readReport } from './desk-api.js';
import type { Report } from './types.js';

/** Read without being shown: what stands may be another version than the one on the screen. */
export type ReadReport = () => Promise<Answer<Report>>;

/** True where the report was erased, or is not one of this desk any more: somebody gave it to another patient or wound. */
export function isGone(fault: unknown): boolean {
  return fault instanceof Refusal && fault.code === 'report.not_found';
}

/** The version on the screen. `adopt` puts another one there; `retry` asks again after a fault. */
export function useReport(reportId: string) {
  const [answer, setAnswer] = useState<Answer<Report> | null>(null);
  const [fault, setFault] = useState<{ readonly reportId: string; readonly refusal: unknown } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const read = useCallback<ReadReport>(() => readReport(reportId), [reportId]);
  useEffect(() => {
    let isWanted = true;
    read().then(
      (first) => isWanted && setAnswer(first),
      (refusal: unknown) => isWanted && setFault({ reportId, refusal }),
    );
    return () => {
      isWanted = false;
    };
  }, [read, reportId, attempt]);
  const retry = () => {
    setFault(null);
    setAttempt((known) => known + 1);
  };
  return {
    answer: answer?.data.id === reportId ? answer : null,
    fault: fault?.reportId === reportId ? fault.refusal : null,
    retry,
    read,
    adopt: setAnswer,
  };
}

/** `none`: there is none, for good. `fault`: it could not be read; `retry` asks again. */
export type Picture =
  | { readonly state: 'loading' }
  | { readonly state: 'none' }
  | { readonly state: 'fault'; readonly retry: () => void }
  | { readonly state: 'there'; readonly url: string; readonly reportId: string };

export function usePicture(reportId: string, kind: 'photo' | 'tissue'): Picture {
  const [picture, setPicture] = useState<Picture>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let made: string | null = null;
    let isWanted = true;
    const retry = () => setAttempt((known) => known + 1);
    // Of the same photo the one stands until the other is there; never that of another report.
    setPicture((known) => (known.state === 'there' && known.reportId === reportId ? known : { state: 'loading' }));
    readPicture(reportId, kind).then(
      (blob) => {
        if (!isWanted) return;
        made = URL.createObjectURL(blob);
        setPicture({ state: 'there', url: made, reportId });
      },
      (refusal: unknown) => {
        if (!isWanted) return;
        const isGone = refusal instanceof Refusal && refusal.code === 'artifact.not_found';
        setPicture(isGone ? { state: 'none' } : { state: 'fault', retry });
      },
    );
    return () => {
      isWanted = false;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [reportId, kind, attempt]);
  return picture;
}
