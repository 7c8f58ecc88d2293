import { DecodeGate } from './decode-gate.js';

function openable() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('DecodeGate', () => {
  it('lets no more than its limit run at once, and the rest in the order they came', async () => {
    const gate = new DecodeGate(2);
    const doors = [openable(), openable(), openable(), openable()];
    const started: number[] = [];
    const runs = doors.map(({ opened }, index) => gate.run(() => (started.push(index), opened)));
    await Promise.resolve();
    expect(started).toEqual([0, 1]);
    doors[1]!.open();
    await runs[1];
    await Promise.resolve();
    expect(started).toEqual([0, 1, 2]);
    doors.forEach(({ open }) => open());
    await Promise.all(runs);
    expect(started).toEqual([0, 1, 2, 3]);
  });

  it('frees the place of work that failed', async () => {
    const gate = new DecodeGate(1);
    await expect(gate.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(gate.run(() => Promise.resolve('next'))).resolves.toBe('next');
  });
});
