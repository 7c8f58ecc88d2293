import type { ReactNode } from 'react';
import { AccountPage } from './account-page.js';

/** A page of the console; those with a label stand in the list of pages. */
export interface Page {
  readonly path: string;
  readonly label?: string;
  readonly page: ReactNode;
}

export const PAGES: readonly Page[] = [{ path: '/', label: 'My account', page: <AccountPage /> }];
