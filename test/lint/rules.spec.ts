import { RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { exportedUnions } from '../../eslint-rules/exported-unions.mjs';
import { sutura } from '../../eslint-rules/index.mjs';

const tester = new RuleTester({ languageOptions: { parser: tseslint.parser } });
const unions = [exportedUnions(__dirname, ['tables'])];
const TABLE = "const NAMES: Record<string, string> = { green: 'a', red: 'b', blue: 'c' };";

tester.run('cast-with-reason', sutura.rules['cast-with-reason'], {
  invalid: [
    'const held = resource as unknown as Held;',
    '// A resource.\n\nconst held = resource as unknown as Held;',
    'const held = resource as unknown as Held; // A resource.',
    'function held() {\n  // The first.\n  const one = 1;\n  return one as unknown as Held;\n}',
  ].map((code) => ({ code, errors: 1 })),
  valid: [
    'const held = resource as Resource & Held;',
    'const held = resource as unknown;',
    '// Its shape was checked.\nconst held = resource as unknown as Held;',
    'const held = look(\n  first,\n  // Its shape was checked.\n  resource as unknown as Held,\n);',
    'function held() {\n  // Its shape was checked.\n  return { a: 1,\n    ...rest } as unknown as Held;\n}',
  ],
});

tester.run('no-clock-comparison', sutura.rules['no-clock-comparison'], {
  invalid: [
    'expect(row.createdAt.getTime()).toBeLessThan(Date.now());',
    'expect(row.createdAt).not.toEqual(new Date());',
    'expect(Date.parse(ticket.expiresAt) - Date.now()).toBeGreaterThan(800);',
    'const before = Date.now(); expect(row.at.getTime()).toBeGreaterThanOrEqual(before);',
    'const soon = new Date(Date.now() + 60); expect(row.at < soon).toBe(true);',
    'expect(rows).toEqual(expect.objectContaining({ at: new Date() }));',
    'while (Date.now() < row.until) look();',
  ].map((code) => ({ code, errors: 1 })),
  valid: [
    'const began = performance.now(); expect(performance.now() - began).toBeLessThan(500);',
    'expect(row.createdAt).toEqual(clock.now());',
    'const at = new Date(); await create({ at }); expect((await read()).at).toEqual(at);',
    'expect(await list({ createdAfter: new Date() })).toEqual([]);',
    "expect(row.createdAt).toEqual(new Date('2026-03-01T10:00:00Z'));",
  ],
});

tester.run('no-late-rejection', sutura.rules['no-late-rejection'], {
  invalid: [
    'for (const asked of [find(a), find(b)]) await expect(asked).rejects.toThrow();',
    'for (const asked of [find(a), find(b)]) { look(); await expect(asked).rejects.toThrow(); }',
  ].map((code) => ({ code, errors: 1 })),
  valid: [
    'for (const ask of [() => find(a), () => find(b)]) await expect(ask()).rejects.toThrow();',
    'for (const name of [nameOf(a), nameOf(b)]) await expect(find(name)).rejects.toThrow();',
    'for (const asked of [find(a)]) await expect(asked).rejects.toThrow();',
  ],
});

tester.run('no-waiting-for-time', sutura.rules['no-waiting-for-time'], {
  invalid: [
    'await new Promise((resolve) => setTimeout(resolve, 100));',
    'await new Promise((done) => { setTimeout(() => done(), 100); });',
    'await new Promise((resolve) => { globalThis.setTimeout(() => { resolve(); }, 100); });',
    "import { setTimeout as delay } from 'node:timers/promises';",
    "import timers from 'timers/promises';",
    "const { setTimeout: delay } = await import('node:timers/promises');",
    'const delay = promisify(setTimeout);',
    'await page.waitForTimeout(100);',
  ].map((code) => ({ code, errors: 1 })),
  valid: [
    "await eventually('the job ended', () => ended);",
    'await new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 100));',
    'const overdue = setTimeout(() => child.kill(), 100);',
    "import { setImmediate } from 'node:timers/promises';",
    "await new Promise((resolve) => server.once('close', resolve));",
  ],
});

tester.run('record-by-union', sutura.rules['record-by-union'], {
  invalid: [
    TABLE,
    TABLE.replace('Record<string, string>', 'Readonly<Record<string, string>>'),
    TABLE.replace('Record<string, string>', '{ readonly [name: string]: string }'),
    "const CORNERS: Record<string, number> = { circle: 0, triangle: 3, 'square': 4 };",
  ].map((code) => ({ code, options: unions, errors: [{ messageId: 'keyed' }] })),
  valid: [
    TABLE.replace('string, string', 'Colour, string'),
    TABLE.replace(', blue', ', black'),
    TABLE.replace(", blue: 'c'", ''),
    "const NAMES: Record<string, string> = { left: 'a', right: 'b' };",
    'const NAMES: Record<string, string> = Object.fromEntries(rows);',
  ].map((code) => ({ code, options: unions })),
});
