/**
 * Which form the index rows of this release have. Raised by one with every change of what a resource is found by (parameter-table.ts, the
 * columns of index rows): behind the start of the first process that has it, the rows of all resources are made anew (store/index-renewal.ts).
 * A test holds it against the table.
 */
export const INDEX_FORM = 3;
