/** @jest-environment node */
import { FileCache } from './file-cache.js';

const MIB = 1024 * 1024;
const file = (name: string) => ({ objectKey: `documents/${name}`, sha256: name });

describe('files that a message was just made with', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('are not kept where they are large, nor found under another digest', () => {
    const recent = new FileCache();
    recent.put(file('large'), new Uint8Array(4 * MIB + 1));
    recent.put(file('small'), Buffer.from('bytes'));
    expect(recent.find(file('large'))).toBeNull();
    expect(recent.find({ ...file('small'), sha256: 'other' })).toBeNull();
    expect(recent.find(file('small'))).toEqual(Buffer.from('bytes'));
  });

  it('are forgotten after ten seconds', () => {
    const recent = new FileCache();
    recent.put(file('one'), Buffer.from('bytes'));
    jest.advanceTimersByTime(9_999);
    expect(recent.find(file('one'))).not.toBeNull();
    jest.advanceTimersByTime(1);
    expect(recent.find(file('one'))).toBeNull();
  });

  it('take 16 MiB at most: the oldest goes', () => {
    const recent = new FileCache();
    for (let count = 0; count < 5; count += 1) recent.put(file(String(count)), new Uint8Array(4 * MIB));
    expect(Array.from({ length: 5 }, (_, count) => recent.find(file(String(count))) !== null)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
  });
});
