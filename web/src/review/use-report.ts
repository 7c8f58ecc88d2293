import { useCallback, useEffect, useState } from 'react';
import type { Answer } from '../shared/api.js';
import { readPicture, readReport } from './desk-api.js';
import type { Report } from './types.js';

/** A report as it stands; `readAgain` reads it once more. */
export function useReport(reportId: string) {
  const [answer, setAnswer] = useState<Answer<Report> | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const readAgain = useCallback(async () => {
    const read = await readReport(reportId);
    setAnswer(read);
    return read.data;
  }, [reportId]);
  useEffect(() => {
    readAgain().catch(setFault);
  }, [readAgain]);
  return { answer: answer?.data.id === reportId ? answer : null, fault, readAgain };
}

/** An address of the picture inside this page; null while it is read, and where there is none. */
export function usePicture(reportId: string, kind: 'photo' | 'tissue'): string | null {
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
