import type { ElementType, TableElement } from '../../src/standards/fhir/xml/element-table.js';
import { ElementTable } from '../../src/standards/fhir/xml/element-table.js';
import { R4Definitions } from '../../src/standards/fhir/definitions/r4-definitions.js';
import type { Dice } from './mutations.js';

type Json = Record<string, unknown>;

const TEXTS = [
  'a',
  'Wunde, groß',
  '<b> & "c"',
  "d'e",
  ' f ',
  'g\nh\r\ni\tj',
  '\u{1f600}\u00a0',
  '&amp;',
  ']]>',
  '2026-01-05T08:30:00+01:00',
  'x'.repeat(300),
  `${'y'.repeat(400)}&${'ü'.repeat(200)}`,
];
const NUMBERS = [0, -1, 0.5, 12, 3.14159, 1e-7, 1e21, 123456789.25];
const DIVS = [
  '<div xmlns="http://www.w3.org/1999/xhtml">a <b>b</b> &lt; c<br/></div>',
  '<div xmlns="http://www.w3.org/1999/xhtml"><p>ü</p></div>',
];
const DEPTH = 7;

/** Resources of any type with any of its elements, as JSON has them: their form is R4's, their content means nothing. */
export class DrawnResources {
  private readonly table = new ElementTable(new R4Definitions());

  constructor(private readonly types: readonly string[]) {}

  draw(dice: Dice, depth = 0): Json {
    const resourceType = dice.pick(this.types);
    return { resourceType, ...this.members(this.table.resource(resourceType)!, dice, depth) };
  }

  private members({ elements, attributes }: ElementType, dice: Dice, depth: number): Json {
    const made: Json = {};
    for (const name of attributes.keys()) if (dice.below(6) === 0) made[name] = dice.pick(TEXTS);
    const all = [...elements.values()];
    for (let left = depth >= DEPTH ? 1 : 1 + dice.below(5); left > 0; left -= 1) {
      const element = dice.pick(all);
      const { name, content } = element;
      if (made[name] !== undefined || made[element.partner] !== undefined || (depth >= DEPTH && content !== 'text'))
        continue;
      this.add(element, made, dice, depth);
    }
    // Nothing is empty.
    return Object.keys(made).length > 0 ? made : { ...this.leaf(all, dice) };
  }

  private leaf(all: readonly TableElement[], dice: Dice): Json {
    const found = all.find(({ content }) => content === 'text');
    if (found === undefined) return { extension: [{ url: dice.pick(TEXTS) }] };
    return { [found.name]: found.isList ? [dice.pick(TEXTS)] : dice.pick(TEXTS) };
  }

  private add(element: TableElement, made: Json, dice: Dice, depth: number): void {
    const { name, partner, isList } = element;
    const one = () => this.value(element, dice, depth);
    const count = isList ? 1 + dice.below(3) : 1;
    const isPrimitive = ['text', 'number', 'boolean'].includes(element.content);
    if (!isPrimitive || dice.below(4) > 0) {
      made[name] = isList ? Array.from({ length: count }, one) : one();
      return;
    }
    const extras = Array.from({ length: count }, (): Json | null =>
      dice.below(2) === 0 ? null : { id: dice.pick(TEXTS) },
    );
    if (!extras.some((extra) => extra !== null)) extras[0] = { id: 'a' };
    const values = extras.map((extra) => (extra !== null && dice.below(3) === 0 ? null : one()));
    made[partner] = isList ? extras : extras[0];
    if (values.some((value) => value !== null)) made[name] = isList ? values : values[0];
  }

  private value({ content, type }: TableElement, dice: Dice, depth: number): unknown {
    switch (content) {
      case 'text':
        return dice.pick(TEXTS);
      case 'number':
        return dice.pick(NUMBERS);
      case 'boolean':
        return dice.below(2) === 0;
      case 'xhtml':
        return dice.pick(DIVS);
      case 'resource':
        return this.draw(dice, depth + 1);
      case 'elements':
        return this.members(type, dice, depth + 1);
    }
  }
}
