/**
 * The form of the index rows of this release. Raised by one with every change of what a resource is found by (type-parameters.ts, the
 * columns of index rows): after the start of the first process with a new form, the rows of all resources are made anew (store/index-renewal.ts).
 * A test holds it against the table.
 */
export const INDEX_FORM = 5;
