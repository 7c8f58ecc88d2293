import { useCallback, useEffect, useState } from 'react';
import { readFormFacts } from './desk-api.js';
import type { DeskFormFacts, Report } from './types.js';

/** With what the form begins; null while it is read, where it could not be, and while it is that of another version than the one on the screen. */
export function useFormFacts({ id, version }: Report, isWanted: boolean, language: string) {
  const [facts, setFacts] = useState<DeskFormFacts | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [edition, setEdition] = useState(0);
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    setFault(null);
    readFormFacts(id, language).then(
      (read) => isCurrent && setFacts(read),
      (refusal: unknown) => isCurrent && setFault(refusal),
    );
    return () => {
      isCurrent = false;
    };
  }, [id, version, isWanted, language, edition]);
  const readAnew = useCallback(() => setEdition((known) => known + 1), []);
  return { facts: facts?.version === version ? facts : null, fault, readAnew };
}

export type FormFacts = ReturnType<typeof useFormFacts>;
