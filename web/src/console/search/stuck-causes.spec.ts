import { stuckByCause } from './stuck-causes.js';

const MESSAGE = '01997f2e-5555-7000-8000-000000000005';
const OTHER = '01997f2e-5555-7000-8000-000000000006';
const event = (next: string | null, resource = `MessageHeader/${MESSAGE}`, what = 'hl7.parked') => ({
  at: '2026-03-15T08:40:05.000Z',
  what,
  resources: resource === '' ? [] : [resource],
  facts: {},
  next,
});

describe('what stands still in a timeline', () => {
  it('is nothing where nothing needs a person', () => {
    expect(stuckByCause([])).toEqual([]);
    expect(stuckByCause([event(null)])).toEqual([]);
  });

  it('is told once for each cause, with how many there are and the last of them', () => {
    const paused = 'its destination is paused. Let it go on.';
    const stuck = stuckByCause([
      event(`Message ${MESSAGE}: ${paused}`),
      event(`Message ${OTHER}: ${paused}`, `MessageHeader/${OTHER}`),
      event('Have the photo sent again.', '', 'image.stored'),
    ]);
    expect(stuck).toEqual([
      {
        cause: 'Its destination is paused. Let it go on.',
        count: 2,
        resource: `MessageHeader/${OTHER}`,
        isDelivery: false,
      },
      { cause: 'Have the photo sent again.', count: 1, resource: null, isDelivery: false },
    ]);
  });

  it('joins steps that differ by an id alone, and keeps the id of one that stands alone', () => {
    const step = (id: string) => event(`Ask who has job ${id}.`, `Task/${id}`, 'job.failed');
    expect(stuckByCause([step(MESSAGE)])[0]!.cause).toContain(MESSAGE);
    expect(stuckByCause([step(MESSAGE), step(OTHER)])).toMatchObject([
      { cause: 'Ask who has job ….', count: 2, resource: `Task/${OTHER}` },
    ]);
  });
});
