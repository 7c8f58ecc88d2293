import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ERROR_CATALOGUE, RETIRED_ERROR_CODES, type ErrorCode } from '../../../src/core/errors/catalogue.js';
import { PROBLEM_STATUS } from '../../../src/platform/http/problem.js';

const PAGE = readFileSync(resolve(__dirname, '../../../docs/errors.md'), 'utf8');
const ROW = /^\| `([a-z0-9_]+\.[a-z_]+)` \| (\d{3}) \| (.+?) \| (.+) \|$/gm;

const written = [...PAGE.matchAll(ROW)].map(([, code, status, title, advice]) => ({
  code,
  status: Number(status),
  title,
  advice,
}));
const catalogue = (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).map((code) => {
  const { kind, title, advice } = ERROR_CATALOGUE[code];
  return { code, status: PROBLEM_STATUS[kind], title, advice };
});

describe('docs/errors.md', () => {
  it('has every code of the catalogue, word for word and in its order, and no other', () => {
    expect(written).toEqual(catalogue);
  });

  it('names no code outside its table that does not exist', () => {
    const named = [...PAGE.matchAll(/`([a-z0-9]+\.[a-z_]+)`/g)].map(([, code]) => code);
    expect(named.filter((code) => !(code! in ERROR_CATALOGUE))).toEqual([]);
  });

  it('uses no retired code again', () => {
    expect(catalogue.filter(({ code }) => RETIRED_ERROR_CODES.includes(code))).toEqual([]);
  });
});
