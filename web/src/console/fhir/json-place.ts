/** Where something stands in a text; lines and columns count from 1. */
export interface JsonPlace {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly length: number;
}

/** `Bundle.entry[2].resource.code` → entry, 2, resource, code; filters such as `.where(…)` end it. */
function stepsOf(expression: string): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const part of expression.split('.').slice(1)) {
    const [, name, index] = /^([A-Za-z_]\w*)(?:\[(\d+)\])?$/.exec(part) ?? [];
    if (name === undefined) break;
    steps.push(name, ...(index === undefined ? [] : [Number(index)]));
  }
  return steps;
}

/** Where the text stops to be JSON; null: it is JSON. */
export function brokenPlace(text: string): { readonly place: JsonPlace; readonly words: string } | null {
  try {
    JSON.parse(text);
    return null;
  } catch (fault) {
    const scan = new Scan(text);
    scan.value([]);
    const offset = Math.min(scan.failedAt ?? scan.end(), text.length);
    return { place: placeAt(text, offset, 1), words: (fault as Error).message };
  }
}

/**
 * Where the value of an expression stands: the deepest of its steps that is there, as what is missing stands nowhere. null: the text is no
 * JSON, or the expression names the whole.
 */
export function placeOf(text: string, expression: string | null): JsonPlace | null {
  if (expression === null) return null;
  const steps = stepsOf(expression);
  if (steps.length === 0) return null;
  const scan = new Scan(text);
  scan.value(steps);
  return scan.found === null ? null : placeAt(text, scan.found.from, scan.found.to - scan.found.from);
}

function placeAt(text: string, offset: number, length: number): JsonPlace {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n'), offset, length };
}

/** Walks JSON once, and remembers where the value at the end of some steps is. */
class Scan {
  found: { readonly from: number; readonly to: number } | null = null;
  /** Where it stopped to be JSON. */
  failedAt: number | null = null;
  private at = 0;

  constructor(private readonly text: string) {}

  end(): number {
    this.skip();
    return this.at;
  }

  /** Reads a value; `steps` lead on from it, null: nowhere. */
  value(steps: readonly (string | number)[] | null, depth = 0): void {
    this.skip();
    const from = this.at;
    const letter = this.text[this.at];
    if (depth > 200 || letter === undefined) this.fail();
    else if (letter === '{') this.members(steps, depth);
    else if (letter === '[') this.items(steps, depth);
    else if (letter === '"') this.string();
    else this.word();
    if (steps !== null && this.found === null) this.found = { from, to: this.at };
  }

  private members(steps: readonly (string | number)[] | null, depth: number): void {
    this.at += 1;
    for (let isFirst = true; this.failedAt === null; isFirst = false) {
      this.skip();
      if (isFirst && this.text[this.at] === '}') break;
      if (this.text[this.at] !== '"') return this.fail();
      const name = this.string();
      this.skip();
      if (this.text[this.at] !== ':') return this.fail();
      this.at += 1;
      const isNext = steps !== null && (steps[0] === name || `_${String(steps[0])}` === name) && this.found === null;
      this.value(isNext ? steps.slice(1) : null, depth + 1);
      this.skip();
      if (this.text[this.at] !== ',') break;
      this.at += 1;
    }
    this.close('}');
  }

  private items(steps: readonly (string | number)[] | null, depth: number): void {
    this.at += 1;
    for (let place = 0; this.failedAt === null; place += 1) {
      this.skip();
      if (place === 0 && this.text[this.at] === ']') break;
      // A list of one is often named without its index.
      const isNext = steps !== null && this.found === null && (steps[0] === place || typeof steps[0] === 'string');
      this.value(isNext ? steps.slice(typeof steps[0] === 'number' ? 1 : 0) : null, depth + 1);
      this.skip();
      if (this.text[this.at] !== ',') break;
      this.at += 1;
    }
    this.close(']');
  }

  private close(letter: string): void {
    if (this.failedAt !== null) return;
    if (this.text[this.at] === letter) this.at += 1;
    else this.fail();
  }

  private string(): string {
    const found = /"(?:[^"\\\n]|\\.)*"/y;
    found.lastIndex = this.at;
    const [literal] = found.exec(this.text) ?? [];
    if (literal === undefined) {
      this.fail();
      return '';
    }
    this.at += literal.length;
    try {
      return JSON.parse(literal) as string;
    } catch {
      this.fail(this.at - literal.length);
      return '';
    }
  }

  private word(): void {
    const found = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
    found.lastIndex = this.at;
    const [literal] = found.exec(this.text) ?? [];
    if (literal === undefined) this.fail();
    else this.at += literal.length;
  }

  private skip(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at += 1;
  }

  private fail(at = this.at): void {
    this.failedAt ??= at;
    this.at = this.text.length;
  }
}
