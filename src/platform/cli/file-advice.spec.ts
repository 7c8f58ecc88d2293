import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adviceOnFile } from './file-advice.js';

describe('the advice on a file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sutura-advice-'));
    writeFileSync(join(folder, 'file'), '');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const faultOf = (work: () => unknown): unknown => {
    try {
      work();
    } catch (fault) {
      return fault;
    }
    throw new Error('It was done.');
  };

  it.each<[string, (path: (name: string) => string) => unknown, string]>([
    ['file', (path) => writeFileSync(path('file'), '', { flag: 'wx' }), 'is there already'],
    ['file', (path) => mkdirSync(path('file')), 'is there already'],
    ['none/file', (path) => writeFileSync(path('none/file'), ''), 'is not there'],
    ['file/below', (path) => readFileSync(path('file/below')), 'not a folder'],
  ])('names %s and what to do', (name, work, words) => {
    const advice = adviceOnFile(faultOf(() => work((below) => join(folder, below))));
    expect(advice).toContain(join(folder, name));
    expect(advice).toContain(words);
  });

  it.each([[new Error('Cannot read properties')], [{ code: 'ECONNREFUSED', path: undefined }], [null], ['text']])(
    'is none for %p',
    (fault) => expect(adviceOnFile(fault)).toBeNull(),
  );
});
