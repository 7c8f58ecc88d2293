/** Builds a search of messages. Each condition is one that an index serves; a condition without a value is left out. */
export class MessageSearch {
  private readonly conditions: string[] = [];
  private readonly values: unknown[] = [];

  equal(column: string, value: string | undefined): this {
    return value === undefined ? this : this.add(`${column} = ${this.value(value)}`);
  }

  /** `to` is not included. */
  between(column: string, from: Date | undefined, to: Date | undefined): this {
    if (from !== undefined) this.add(`${column} >= ${this.value(from)}`);
    if (to !== undefined) this.add(`${column} < ${this.value(to)}`);
    return this;
  }

  before(column: string, id: string | null): this {
    return id === null ? this : this.add(`${column} < ${this.value(id)}::uuid`);
  }

  /**
   * All terms of at least one of the lists; an empty list matches nothing. The condition repeats that there are terms,
   * since partial indexes leave out rows without any.
   */
  named(column: string, lists: readonly (readonly Buffer[])[] | undefined): this {
    if (lists === undefined) return this;
    const some = lists.filter((terms) => terms.length > 0).map((terms) => `${column} @> ${this.value(terms)}::bytea[]`);
    return this.add(some.length === 0 ? 'false' : `${column} <> '{}' and (${some.join(' or ')})`);
  }

  /** All words of a text, in the strings of a JSON column. */
  says(column: string, text: string | undefined): this {
    if (text === undefined) return this;
    return this.add(
      `${column} <> '[]' and jsonb_to_tsvector('simple', ${column}, '["string"]') @@ plainto_tsquery('simple', ${this.value(text)})`,
    );
  }

  newestFirst(
    select: string,
    id: string,
    limit: number,
  ): { readonly sql: string; readonly values: readonly unknown[] } {
    const where = this.conditions.length === 0 ? '' : ` where ${this.conditions.join(' and ')}`;
    return { sql: `${select}${where} order by ${id} desc limit ${this.value(limit)}`, values: this.values };
  }

  private add(condition: string): this {
    this.conditions.push(condition);
    return this;
  }

  private value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}
