import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import type { JobRequest } from '../../../src/core/analysis/analysis-job.js';
import type { ErasedPatient } from '../../../src/core/erasure/patient-record.js';
import { PatientDataErasers } from '../../../src/core/erasure/patient-data-eraser.js';
import { SuturaError } from '../../../src/core/errors/sutura-error.js';
import type { HeldItem } from '../../../src/core/held/held-item.js';
import { HeldItems } from '../../../src/core/held/held-items.js';
import { SandboxConflicts } from '../../../src/core/held/sandbox-conflicts.js';
import { ImageRepository } from '../../../src/core/images/image.repository.js';
import { PatientRepository } from '../../../src/core/patients/patient.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../../src/core/ports/unit-of-work.js';
import type { Caller } from '../../../src/core/tenancy/api-key.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { HeldItemsEraser } from '../../../src/records/held/held-items.eraser.js';
import { DatabaseContext } from '../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const REASONS = ['identity_conflict'] as const;
const ALL = { reason: null, olderThanS: null, after: null, limit: 1000 };

let database: TestDatabase;
let context: DatabaseContext;
let caller: Caller;
let conflicts: SandboxConflicts;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await DatabaseContext.open(database.url);
  conflicts = new SandboxConflicts({
    items: context.get(HeldItems),
    images: context.get(ImageRepository),
    patients: context.get(PatientRepository),
    unitOfWork: context.get(UnitOfWork),
    ids: { next: () => v7() },
    digest: { sha256: (bytes) => createHash('sha256').update(bytes).digest('hex') },
  });
});
afterAll(async () => {
  await context?.close();
  await database?.drop();
});
beforeEach(async () => {
  caller = { ...(await context.createTenant()), keyId: v7(), scopes: [] };
});

const within = <T>(work: (transaction: TenantTransaction) => Promise<T>): Promise<T> =>
  context.get(UnitOfWork).inTenant(caller, work);
const items = () => context.get(HeldItems);
const open = () => within((transaction) => items().open(transaction, REASONS, ALL)) as Promise<HeldItem[]>;
const numbered = (patientId: string) => ({ patientId, patientSystem: 'urn:oid:2.999.1', woundId: 'W1' });
const asked = (imageId: string, patientId = 'MRN-1'): JobRequest => ({
  imageId,
  subject: numbered(patientId),
  clinicalContext: null,
  capturedAt: null,
  mmPerPixel: null,
  clinicianObservations: null,
  priority: 'routine',
  metadata: { sandbox: 'held:identity_conflict' },
  source: 'rest',
});
/** Makes the record of a number that is new, as the service does. */
const fileUnder = (transaction: TenantTransaction, { subject }: JobRequest): Promise<string> =>
  context
    .get(PatientRepository)
    .resolve(transaction, { system: subject!.patientSystem!, value: subject!.patientId! }, v7());

/** As the service does: refused until a person has decided, in a transaction that is rolled back. */
async function ask(
  request: JobRequest,
  repeat: string | null = null,
): Promise<{ heldId: string | undefined; detail: string } | string> {
  try {
    return await conflicts.orHold(
      caller,
      request,
      (decided) =>
        within(async (transaction) => {
          const patientId = await fileUnder(transaction, decided);
          if (decided.decidedItem === undefined) throw new SuturaError('identity.conflict');
          await conflicts.filed(transaction, decided, patientId);
          return patientId;
        }),
      repeat,
    );
  } catch (fault) {
    const { facts, detail, code } = fault as SuturaError;
    expect(code).toBe('identity.conflict');
    return { heldId: facts.heldId, detail };
  }
}
const settle = (id: string, note = 'as it says on the wristband') =>
  within((transaction) => items().settle(transaction, id, { action: 'same', note }, { name: 'anna' }));

describe('a request that asked the sandbox to wait for a person', () => {
  it('names no record of a number that is new: the refused request made none', async () => {
    await ask(asked((await context.createImage(caller)).id));
    expect((await open()).map(({ came }) => [came.resources, came.patientIds])).toEqual([[[], []]]);
  });

  it('names the record of a number that was known before', async () => {
    const request = asked((await context.createImage(caller)).id);
    const patientId = await within((transaction) => fileUnder(transaction, request));
    await ask(request);
    const [item] = await open();
    expect([item!.came.resources, item!.came.patientIds]).toEqual([[`Patient/${patientId}`], [patientId]]);
  });

  it('is found by its Idempotency-Key where the photo was uploaded once more, while it waits and once it is decided', async () => {
    const first = asked((await context.createImage(caller)).id);
    const again = asked((await context.createImage(caller)).id);
    const { heldId } = (await ask(first, 'visit-1 bytes')) as { heldId: string };
    expect(await ask(again, 'visit-1 bytes')).toMatchObject({ heldId });
    expect(await open()).toHaveLength(1);
    for (const [request, repeat] of [
      [again, null],
      [again, 'visit-2 bytes'],
      [asked(again.imageId, 'MRN-2'), 'visit-1 bytes'],
    ] as const)
      expect(((await ask(request, repeat)) as { heldId: string }).heldId).not.toBe(heldId);
    await settle(heldId);
    expect(await ask(asked((await context.createImage(caller)).id), 'visit-1 bytes')).toEqual(expect.any(String));
    expect(await ask(first, 'of another call')).toEqual(expect.any(String));
  });

  it('goes with the patient under whom its repeat was filed, and with it what people wrote', async () => {
    const request = asked((await context.createImage(caller)).id);
    await ask(request);
    await settle((await open())[0]!.id);
    const patientId = (await ask(request)) as string;
    const erased = { tenant: caller, patientIds: [patientId] } as unknown as ErasedPatient;
    const eraser = new HeldItemsEraser({ declare: () => undefined } as unknown as PatientDataErasers);
    expect(await within((transaction) => eraser.erase(transaction, erased))).toMatchObject({ counts: [{ rows: 1 }] });
  });

  it('offers nobody else for a photo that is filed under a person: its repeat would be refused for ever', async () => {
    const image = await context.createImage(caller);
    const request = asked(image.id);
    const patientId = await within((transaction) => fileUnder(transaction, request));
    await context.get(SystemStatements).run('update images set patient_id = $1 where id = $2', [patientId, image.id]);
    await ask(request);
    await ask(asked((await context.createImage(caller)).id));
    expect((await open()).map(({ actions }) => actions)).toEqual([
      ['same', 'discard'],
      ['same', 'another', 'discard'],
    ]);
  });

  it('is one of a hundred at most, and says what to do about those', async () => {
    const { id } = await context.createImage(caller);
    await ask(asked(id));
    await context.get(SystemStatements).run(
      `insert into held_items (organization_id, environment, id, reason, door, key, came, waits_for, actions, since, sandbox)
         select organization_id, environment, gen_random_uuid(), reason, door, key || int4send(place), came, waits_for, actions, since, sandbox
           from held_items, generate_series(1, 97) place where organization_id = $1`,
      [caller.organizationId],
    );
    const last = await Promise.all(Array.from({ length: 5 }, (_, place) => ask(asked(id, `LATE-${place}`))));
    const refused = last.filter((one) => typeof one !== 'string' && one.heldId === undefined);
    expect(refused).toHaveLength(3);
    expect(refused[0]).toMatchObject({ detail: expect.stringContaining('Decide about them first') as string });
    const waiting = await open();
    expect(waiting).toHaveLength(100);
    await settle(waiting[0]!.id);
    expect(await ask(asked(id, 'AFTER'))).toMatchObject({ heldId: expect.any(String) as string });
  });

  it('is not told to operators, who did not ask for it', async () => {
    await ask(asked((await context.createImage(caller)).id));
    const counts = await context.get(UnitOfWork).inSystem((system) => items().count(system, REASONS));
    expect(counts.filter(({ organizationId }) => organizationId === caller.organizationId)).toEqual([]);
  });

  it('is forgotten a week after the decision, and waits anew; what waits stays', async () => {
    const [request, other] = [asked((await context.createImage(caller)).id), asked(v7(), 'MRN-2')];
    await ask(request);
    const [{ id } = { id: '' }] = await open();
    await settle(id);
    await ask(other);
    const ago = (days: number) =>
      context
        .get(SystemStatements)
        .run(
          `update held_items set since = since - make_interval(days => $1), settled_at = now() - make_interval(days => $1) where id = $2`,
          [days, id],
        );
    await ago(6);
    await conflicts.removeOld();
    expect(typeof (await ask(request))).toBe('string');
    await ago(8);
    await conflicts.removeOld();
    expect(await ask(request)).toMatchObject({ heldId: expect.any(String) as string });
    expect(await open()).toHaveLength(2);
  });
});
