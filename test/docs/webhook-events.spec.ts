import { WEBHOOK_EVENT_TYPES } from '../../src/core/deliveries/webhook-events.js';
import { rowsOf, textOf } from './pages.js';

/** The table of types is the one whose second column says when. */
function typesIn(page: string): string[] {
  const table = /^\| Type \| When \|[^]*?\n\n/m.exec(textOf(page))?.[0];
  if (table === undefined) throw new Error(`${page} has no table of types`);
  return rowsOf(table).flatMap(([type]) => /^`([\w.]+)`$/.exec(type!.trim())?.[1] ?? []);
}

it('docs/webhooks.md has a row for each type of event, and no other', () => {
  expect(typesIn('docs/webhooks.md')).toEqual([...WEBHOOK_EVENT_TYPES]);
});
