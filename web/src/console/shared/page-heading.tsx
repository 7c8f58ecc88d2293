import { useEffect, type ReactNode } from 'react';

const NAME = 'Sutura console';

interface PageHeadingProps {
  /** What the page is about, as tabs, bookmarks and screen readers tell it by. */
  readonly title: string;
  /** The heading, where it has more than words. */
  readonly children?: ReactNode;
  readonly isRow?: boolean;
}

/** The heading of a page, and the title of its tab (WCAG 2.4.2). */
export function PageHeading({ title, children, isRow = false }: PageHeadingProps) {
  useEffect(() => {
    document.title = `${title} – ${NAME}`;
    return () => {
      document.title = NAME;
    };
  }, [title]);
  return <h1 className={isRow ? 'row' : undefined}>{children ?? title}</h1>;
}
