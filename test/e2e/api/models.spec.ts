import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.js';
import { startGateway, testModelsFolder, type Gateway, type GatewayOptions } from '../../support/gateway.js';
import { TEST_MODEL, TEST_TISSUE_MODEL, writeTestModel, writeTestTissueModel } from '../../support/test-model.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

describe('the models of an installation', () => {
  let dataDir: string;
  const fileOf = (model: string, name: string) => join(testModelsFolder(dataDir), model, name);
  const start = (wish: GatewayOptions = {}) => startGateway({ dataDir, ...wish });

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-models-'));
    await writeTestModel(testModelsFolder(dataDir));
    await writeTestTissueModel(testModelsFolder(dataDir));
    const manifest = JSON.parse(await readFile(fileOf(TEST_MODEL, 'manifest.json'), 'utf8')) as object;
    await writeFile(
      fileOf(TEST_MODEL, 'manifest.json'),
      JSON.stringify({ ...manifest, researchOnly: false, variant: 'fast', metrics: { dice: 0.9 } }),
    );
    await writeFile(fileOf(TEST_MODEL, 'MODEL_CARD.md'), '# A drawing');
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  describe('with a research-only tissue model beside one that may be used on patients', () => {
    let gateway: Gateway;

    beforeAll(async () => {
      gateway = await start({ env: { SUTURA_SEGMENTATION_MODEL: 'fast' } });
    });
    afterAll(() => gateway?.stop());

    it('are not shown without a key, or to a key that may not read', async () => {
      const client = await gateway.createClient();
      expect((await client.request('GET', '/api/v1/models', { key: null })).status).toBe(401);
      const { key } = await gateway.createKey(await gateway.createOrganization(), 'test', ['images:write']);
      const refused = await client.request('GET', '/api/v1/models', { key });
      expect([refused.status, refused.body.code]).toEqual([403, 'auth.scope']);
    });

    it('refuse live jobs while one of them is for research only', async () => {
      const live = await gateway.createClient('enterprise', 'live');
      const refused = await live.createJob({ imageId: '01997f2e-3c1a-7a00-8000-5b1f0c2d4e6f' });
      expect([refused.status, refused.body.code]).toEqual([409, 'model.research_only']);
    });

    it('are listed with licence, figures and card', async () => {
      const answer = await (await gateway.createClient()).request('GET', '/api/v1/models');
      expect(answer.status).toBe(200);
      expect(answer.body.items).toMatchObject([
        {
          name: 'wound-segmentation',
          version: '0.0.1',
          variant: 'fast',
          active: true,
          researchOnly: false,
          metrics: { dice: 0.9 },
          card: '# A drawing',
          licence: 'Test drawing, no use',
        },
        {
          name: 'tissue-segmentation',
          task: 'tissue-segmentation',
          variant: null,
          active: true,
          researchOnly: true,
          metrics: null,
          card: null,
        },
      ]);
    });

    it('are both named in the trace, and the tissue of the wound bed sums to 1', async () => {
      const { result } = await (await gateway.createClient()).analyse(await drawWoundPhoto({ seed: 3 }));
      expect(result.trace.models.map(({ task }: { task: string }) => task)).toEqual([
        'wound-segmentation',
        'tissue-segmentation',
      ]);
      const { tissue } = result.wounds[0];
      expect(tissue.method).toEqual({
        granulation: 'model',
        slough: 'model',
        necrosis: 'cielab_rule',
        other: 'remainder',
      });
      expect(tissue.granulation).toBeGreaterThan(0.9);
      expect(Math.round((tissue.granulation + tissue.slough + tissue.necrosis + tissue.other) * 1000)).toBe(1000);
      expect(result.trace.timingsMs).toHaveProperty('tissueMs');
    });
  });

  it('take live jobs once no active one is for research only', async () => {
    const gateway = await start({ env: { SUTURA_SEGMENTATION_MODEL: 'fast', SUTURA_TISSUE_MODEL: 'none' } });
    const live = await gateway.createClient('enterprise', 'live');
    const { result } = await live.analyse(await drawWoundPhoto({ seed: 4 }));
    expect(result.trace.models).toHaveLength(1);
    expect(result.wounds[0].tissue).toBeNull();
    const listed = await live.request('GET', '/api/v1/models');
    expect(listed.body.items.map(({ active }: { active: boolean }) => active)).toEqual([true, false]);
    await gateway.stop();
  });

  it('stop the worker, but not the API, when a file is damaged, and the log names the file', async () => {
    const weights = await readFile(fileOf(TEST_TISSUE_MODEL, 'model.onnx'));
    weights[40]! ^= 1;
    await writeFile(fileOf(TEST_TISSUE_MODEL, 'model.onnx'), weights);
    const gateway = await start({ until: 'listening' });
    await eventually('the fault is logged', () =>
      gateway.logs.includes(`${TEST_TISSUE_MODEL}/model.onnx does not match the sha256`),
    );
    const ready = await fetch(`${gateway.baseUrl}/health/ready`);
    expect([ready.status, ((await ready.json()) as { checks: unknown }).checks]).toEqual([
      503,
      expect.objectContaining({ inference: 'failed', database: 'ok' }),
    ]);
    const client = await gateway.createClient();
    expect((await client.request('GET', '/api/v1/models')).status).toBe(200);
    expect(gateway.logs).not.toContain(testModelsFolder(dataDir));
    await gateway.stop();
  });
});
