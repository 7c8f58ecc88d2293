import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import './long-table.css';

export interface Column<Row> {
  readonly title: string;
  /** A track of a CSS grid. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
}

interface LongTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What a screen reader calls the row. */
  readonly nameOf: (row: Row) => string;
  /** The address of the page that a row opens, below /console: it is a link there, for a new tab, a copy, the middle button. */
  readonly hrefOf?: (row: Row) => string;
}

const ROW_PX = 44;
const MOST_PX = 640;
const OVERSCAN = 12;

/**
 * A table of any length: only the rows that are seen are in the page. Arrow keys go from row to row, Enter opens one
 * (WAI-ARIA grid). The link in the first cell covers its row.
 */
export function LongTable<Row>({ label, columns, rows, keyOf, nameOf, hrefOf }: LongTableProps<Row>) {
  const navigate = useNavigate();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const template = columns.map(({ width }) => width).join(' ');
  const focusRow = (place: number) => {
    const wanted = Math.min(Math.max(place, 0), rows.length - 1);
    virtual.scrollToIndex(wanted);
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-place="${wanted}"]`)?.focus({ preventScroll: true }),
    );
  };
  const onKey = (event: KeyboardEvent, place: number) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
    const step = steps[event.key];
    if (step !== undefined) focusRow(place + step);
    else if (event.key === 'Home') focusRow(0);
    else if (event.key === 'End') focusRow(rows.length - 1);
    else if (event.key === 'Enter' && hrefOf !== undefined && rows[place] !== undefined)
      void navigate(hrefOf(rows[place]));
    else return;
    event.preventDefault();
  };
  return (
    <div className="long-table" role="grid" aria-label={label} aria-rowcount={rows.length + 1}>
      <div ref={scroller} className="long-table-scroll" style={{ maxHeight: MOST_PX }}>
        <div role="row" aria-rowindex={1} className="long-table-head" style={{ gridTemplateColumns: template }}>
          {columns.map(({ title }) => (
            <span key={title} role="columnheader">
              {title}
            </span>
          ))}
        </div>
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]!;
            return (
              <div
                key={keyOf(row)}
                role="row"
                aria-rowindex={index + 2}
                aria-label={nameOf(row)}
                data-place={index}
                tabIndex={0}
                className={hrefOf === undefined ? 'long-table-row' : 'long-table-row opens'}
                style={{ gridTemplateColumns: template, transform: `translateY(${start}px)`, height: ROW_PX }}
                onKeyDown={(event) => onKey(event, index)}
              >
                {columns.map(({ title, cell }, column) => (
                  <span key={title} role="gridcell">
                    {hrefOf === undefined || column > 0 ? (
                      cell(row)
                    ) : (
                      <Link to={hrefOf(row)} tabIndex={-1} className="long-table-link">
                        {cell(row)}
                      </Link>
                    )}
                  </span>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
