import type { Device, DocumentReference } from '@medplum/fhirtypes';
import type { InstalledModel } from '../../../../src/core/analysis/model-catalogue.js';
import { SuturaError } from '../../../../src/core/errors/sutura-error.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { AI_KIND_EXTENSION, MODEL_CARD_EXTENSION, modelCardId } from '../../../../src/reports/index.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { modelsThere, ProjectionGround } from './projection-ground.js';

const OUTLINER: InstalledModel = {
  name: 'wound-segmentation',
  version: '1.0.0',
  sha256: 'a'.repeat(64),
  researchOnly: true,
  task: 'wound-segmentation',
  variant: 'fast',
  active: true,
  licence: 'Research and evaluation only.',
  metrics: null,
  card: '# Wound segmentation',
  cardIsWhole: true,
};
const BESIDE: InstalledModel = { ...OUTLINER, version: '0.9.0', sha256: 'b'.repeat(64), active: false, card: null };

describe('the models of an installation as FHIR', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  /** A process that starts with these models. */
  const processWith = (...models: InstalledModel[]) => new ProjectionGround(context, {}, modelsThere(models));
  const show = (ground: ProjectionGround, to = tenant) => ground.within(to, (of) => ground.models.show(of));
  const shown = async (ground: ProjectionGround, of = tenant) =>
    (await ground.all(of)).map(({ resourceType, id, meta }) => `${resourceType}/${id!} v${meta!.versionId!}`);
  const cardOf = (model: InstalledModel, ground: ProjectionGround) =>
    ground.read<DocumentReference>(tenant, 'DocumentReference', modelCardId(model));
  const deviceOf = (ground: ProjectionGround) => ground.read<Device>(tenant, 'Device', 'wound-segmentation-1.0.0');
  const cardOfDevice = ({ extension }: Device) =>
    extension?.find(({ url }) => url === MODEL_CARD_EXTENSION)?.valueReference?.reference;

  it('hold up nothing while the models cannot be read', async () => {
    const unreadable = () => {
      throw new SuturaError('service.unavailable');
    };
    const ground = new ProjectionGround(context, {}, { activeModels: unreadable, installedModels: unreadable });
    await show(ground);
    expect(await shown(ground)).toEqual([]);
    await ground.followUp.assess(tenant, 0, 9);
    await ground.deliver(tenant);
    expect(await shown(ground)).toContain('Device/wound-segmentation-1.0.0 v1');
  });

  it('have Devices and cards by their own names, whatever these are', async () => {
    const names = ['Our model, "new"\u0000', 'our_model', 'our model', 'm'.repeat(70)];
    const ground = processWith(...names.map((name) => ({ ...OUTLINER, name })));
    await show(ground);
    const all = await ground.all(tenant);
    expect(all.map(({ resourceType }) => resourceType)).toEqual([
      ...names.map(() => 'Device'),
      ...names.map(() => 'DocumentReference'),
    ]);
    expect((await ground.faultsOf(tenant)).flatMap(([, faults]) => faults)).toEqual([]);
  });

  it('have one card where a folder was copied, by the wording of the first', async () => {
    const copy = { ...OUTLINER, active: false, card: '# A copy' };
    for (let start = 0; start < 2; start += 1) await show(processWith(OUTLINER, copy));
    const card = await cardOf(OUTLINER, processWith());
    expect([card.meta!.versionId, card.content![0]!.attachment!.size]).toEqual(['1', OUTLINER.card!.length]);
  });

  it('are not remembered as shown where the transaction was undone', async () => {
    const ground = processWith(OUTLINER);
    const undone = ground.within(tenant, async (of) => {
      await ground.models.show(of);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await show(ground);
    expect(await shown(ground)).toHaveLength(2);
  });

  it('do not give the Device of other weights under the same name a card that is not theirs', async () => {
    await show(processWith(OUTLINER));
    const exchanged = { ...OUTLINER, sha256: 'c'.repeat(64), card: '# Exchanged' };
    const ground = processWith(exchanged);
    await show(ground);
    expect(cardOfDevice(await deviceOf(ground))).toBe(`DocumentReference/${modelCardId(OUTLINER)}`);
    expect((await cardOf(exchanged, ground)).content![0]!.attachment!.title).toBe('wound-segmentation 1.0.0');
  });

  it('are shown once, however many ask at once and however often', async () => {
    const grounds = [processWith(OUTLINER, BESIDE), processWith(OUTLINER, BESIDE)];
    await Promise.all([0, 1, 2, 3].map((at) => show(grounds[at % 2]!)));
    await show(processWith(OUTLINER, BESIDE));
    expect((await shown(grounds[0]!)).sort()).toEqual(
      [
        'Device/wound-segmentation-1.0.0 v1',
        `DocumentReference/${modelCardId(OUTLINER)} v1`,
        `DocumentReference/${modelCardId(BESIDE)} v1`,
      ].sort(),
    );
  });

  it('have a card each, the active ones a Device that refers to it, and all of it meets its profile', async () => {
    const ground = processWith(OUTLINER, BESIDE);
    await show(ground);
    expect(cardOfDevice(await deviceOf(ground))).toBe(`DocumentReference/${modelCardId(OUTLINER)}`);
    expect((await ground.faultsOf(tenant)).flatMap(([, faults]) => faults)).toEqual([]);
    const another = await context.createTenant();
    await show(ground, another);
    expect(await shown(ground, another)).toEqual(await shown(ground));
  });

  it('give a Device from before there were cards its card, also where the model is no longer active', async () => {
    const before = new ProjectionGround(context);
    const { extension: _, ...old } = await (async () => {
      const first = processWith(OUTLINER);
      const elsewhere = await context.createTenant();
      await show(first, elsewhere);
      return first.read<Device>(elsewhere, 'Device', 'wound-segmentation-1.0.0');
    })();
    await before.insert(tenant, old as Device, { kind: 'service' });
    const ground = processWith({ ...OUTLINER, active: false });
    await show(ground);
    const device = await deviceOf(ground);
    expect(device.extension!.map(({ url }) => url)).toEqual([AI_KIND_EXTENSION, MODEL_CARD_EXTENSION]);
    expect(device.version).toEqual(old.version);
  });

  it('keep the former wording of a card as a version, with the bytes as they were', async () => {
    await show(processWith(OUTLINER));
    const first = await cardOf(OUTLINER, processWith());
    const ground = processWith({ ...OUTLINER, card: '# Wound segmentation, corrected' });
    await show(ground);
    const second = await cardOf(OUTLINER, ground);
    expect([first.meta!.versionId, second.meta!.versionId]).toEqual(['1', '2']);
    expect(second.content).not.toEqual(first.content);
    const kept = await ground.within(tenant, (of) =>
      ground.store.findVersion(of, 'DocumentReference', modelCardId(OUTLINER), 1),
    );
    expect(kept!.resource).toEqual(first);
  });

  it('stay with the results of a model that is gone, and the next model has its own', async () => {
    const before = processWith(OUTLINER);
    await before.followUp.assess(tenant, 0, 9);
    await before.deliver(tenant);
    const [device, card] = [await deviceOf(before), await cardOf(OUTLINER, before)];
    const after = processWith({ ...OUTLINER, version: '1.1.0', sha256: 'd'.repeat(64) });
    await show(after);
    expect(await deviceOf(after)).toEqual(device);
    expect(await cardOf(OUTLINER, after)).toEqual(card);
    expect(await after.read<Device>(tenant, 'Device', 'wound-segmentation-1.1.0')).toMatchObject({ status: 'active' });
  });
});
