import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';

const Announce = createContext<(text: string) => void>(() => undefined);

/** Says to everyone, also by screen reader, that something was done; it stays when what was pressed goes away. */
export function useAnnounce(): (text: string) => void {
  return useContext(Announce);
}

/** Holds what was said last, above the page. */
export function Announcements({ children }: { readonly children: ReactNode }) {
  const [text, setText] = useState('');
  const announce = useCallback((next: string) => setText(next), []);
  return (
    <Announce.Provider value={announce}>
      <div role="status" className="announced">
        {text === '' ? null : (
          <p className="notice good">
            {text}{' '}
            <button type="button" className="button" onClick={() => setText('')}>
              Close
            </button>
          </p>
        )}
      </div>
      {children}
    </Announce.Provider>
  );
}
