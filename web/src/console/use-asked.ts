import { useState, type FormEvent } from 'react';

/** The state of a form that asks the gateway for one thing at a time. */
export function useAsked() {
  const [fault, setFault] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const begin = (event: FormEvent, work: () => Promise<void>) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    void work()
      .catch(setFault)
      .finally(() => setBusy(false));
  };
  return { fault, isBusy, begin };
}
