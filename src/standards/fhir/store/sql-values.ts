/** The parameters of a statement as it grows. */
export class SqlValues {
  readonly all: unknown[] = [];

  add(value: unknown, type: string): string {
    return `$${this.all.push(value)}::${type}`;
  }
}
