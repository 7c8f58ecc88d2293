import type { Outbox } from '../domain-events/outbox.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import type { HeldItem, HeldResolution } from './held-item.js';
import type { HeldItems } from './held-items.js';
import { IdentityConflicts } from './identity-conflicts.js';

const TENANT = { organizationId: 'org', environment: 'test' } as const;

function setUp(isOpen = true) {
  const done: string[] = [];
  const items = {
    settle: (_: unknown, id: string, { action }: HeldResolution) => {
      if (isOpen) done.push(`${action} ${id}`);
      return Promise.resolve(isOpen);
    },
  } as unknown as HeldItems;
  const outbox = {
    append: (_: unknown, { kind, subjectId }: { kind: string; subjectId: string }) =>
      Promise.resolve(void done.push(`${kind} ${subjectId}`)),
  } as unknown as Outbox;
  const unitOfWork: UnitOfWork = {
    inTenant: (tenant, work) => work({ tenant, afterCommit: () => undefined }),
    inSystem: () => Promise.reject(new Error('not asked for')),
  };
  const conflicts = new IdentityConflicts(items, outbox, unitOfWork);
  const resolve = (resolution: HeldResolution) =>
    conflicts.resolve(TENANT, { id: 'i' } as HeldItem, resolution, { name: 'anna' });
  return { resolve, done };
}

describe('a decision about who is meant', () => {
  it.each([
    ['another without its authority', { action: 'another' }],
    ['an authority that is no URI', { action: 'another', authority: 'SOUTH' }],
    ['an OID that is none', { action: 'another', authority: 'urn:oid:1|2' }],
    ['an authority with a character that nobody sees', { action: 'another', authority: 'urn:x:\u200b1' }],
    ['an authority where none is meant', { action: 'same', authority: 'urn:oid:2.999.1' }],
    ['something that it belongs to', { action: 'discard', to: 'Patient/1' }],
  ] as const)('is refused with %s', async (_, resolution) => {
    const { resolve, done } = setUp();
    await expect(resolve(resolution)).rejects.toMatchObject({ code: 'request.invalid' });
    expect(done).toEqual([]);
  });

  it('is refused where somebody was quicker', async () => {
    const { resolve, done } = setUp(false);
    await expect(resolve({ action: 'same' })).rejects.toMatchObject({ code: 'held.not_found' });
    expect(done).toEqual([]);
  });

  it.each([
    { action: 'same' },
    { action: 'another', authority: 'urn:oid:2.999.1' },
    { action: 'another', authority: 'https://hospital.example/mrn' },
    { action: 'discard', note: 'Sent by mistake.' },
  ] as const)('is kept, and told to the doors: $action', async (resolution) => {
    const { resolve, done } = setUp();
    await resolve(resolution);
    expect(done).toEqual([`${resolution.action} i`, 'held.settled i']);
  });
});
