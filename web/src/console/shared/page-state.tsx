import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';

interface ReadProps<T> {
  readonly read: UseQueryResult<T, unknown>;
  readonly children: (data: T) => ReactNode;
}

/** What was read, or that it is being read, or why it was not. */
export function Read<T>({ read, children }: ReadProps<T>) {
  if (read.data !== undefined)
    return (
      <>
        {read.error === null ? null : <RefusalNotice fault={read.error} />}
        {children(read.data)}
      </>
    );
  if (read.error !== null) return <RefusalNotice fault={read.error} />;
  return (
    <p role="status" className="hint">
      Reading …
    </p>
  );
}
