import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { arrowStep } from './tab-steps.js';

export interface DeskTab {
  readonly name: string;
  readonly title: string;
  /** Something in it is not decided yet; said beside the title. */
  readonly mark: string | null;
  readonly content: ReactNode;
  /** It is there only while it is looked at: it reads more than the report. */
  readonly isLazy?: boolean;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly DeskTab[];
  readonly shown: string;
  readonly show: (name: string) => void;
}

/** Panels at one place, one of them shown. Arrows go from one title to the next. */
export function DeskTabs({ label, tabs, shown, show }: TabsProps) {
  const titles = useRef(new Map<string, HTMLButtonElement>());
  const onKey = (event: KeyboardEvent) => {
    const place = arrowStep(
      event.key,
      tabs.findIndex(({ name }) => name === shown),
      tabs.length,
    );
    if (place === null) return;
    event.preventDefault();
    const { name } = tabs[place]!;
    show(name);
    titles.current.get(name)?.focus();
  };
  return (
    <>
      <div className="desk-tabs" role="tablist" aria-label={label} onKeyDown={onKey}>
        {tabs.map(({ name, title, mark }) => (
          <button
            key={name}
            ref={(button) => {
              if (button === null) titles.current.delete(name);
              else titles.current.set(name, button);
            }}
            type="button"
            role="tab"
            id={`desk-tab-${name}`}
            aria-selected={name === shown}
            aria-controls={`desk-panel-${name}`}
            tabIndex={name === shown ? 0 : -1}
            className="desk-tab"
            onClick={() => show(name)}
          >
            {title}
            {mark === null ? null : (
              <span className="desk-tab-mark" title={mark}>
                <span className="visually-hidden"> ({mark})</span>
              </span>
            )}
          </button>
        ))}
      </div>
      {tabs.map(({ name, content, isLazy = false }) => (
        <div
          key={name}
          role="tabpanel"
          id={`desk-panel-${name}`}
          aria-labelledby={`desk-tab-${name}`}
          hidden={name !== shown}
          className="desk-tabpanel"
        >
          {isLazy && name !== shown ? null : content}
        </div>
      ))}
    </>
  );
}
