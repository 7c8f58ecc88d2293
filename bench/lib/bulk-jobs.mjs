import { query } from './postgres-server.mjs';

/**
 * Fills the job table up to `total` completed jobs over the tenants, straight by SQL, with a result like a real one, spread
 * over the last 90 days. Every tenant needs an imageId. Statistics are brought up to date.
 */
export async function loadJobs(databaseUrl, tenants, total) {
  const [{ present }] = await query(databaseUrl, 'select count(*)::int as present from analysis_jobs');
  const missing = total - present;
  if (missing <= 0) return;
  await query(
    databaseUrl,
    `with tenants as (select row_number() over () - 1 as place, organization_id, image_id
        from unnest($1::uuid[], $2::uuid[]) as given (organization_id, image_id))
     insert into analysis_jobs (id, report_id, organization_id, environment, image_id, source, status, attempts, captured_at, created_at, started_at, completed_at, result)
     select gen_random_uuid(), gen_random_uuid(), tenants.organization_id, 'test', tenants.image_id, 'rest', 'completed', 1, moment, moment, moment, moment, $3::jsonb
       from generate_series(1, $4::int) as number
       join tenants on tenants.place = number % $5::int
       cross join lateral (select now() - interval '90 days' * random() as moment) as times`,
    [
      tenants.map((tenant) => tenant.organizationId),
      tenants.map((tenant) => tenant.imageId),
      JSON.stringify(sampleResult()),
      missing,
      tenants.length,
    ],
  );
  await query(databaseUrl, 'vacuum (analyze) analysis_jobs');
}

/** Ids of some completed jobs with their tenants, for polls. */
export async function pickJobs(databaseUrl, tenants, count) {
  const rows = await query(
    databaseUrl,
    `select id, organization_id from analysis_jobs where organization_id = any ($1::uuid[]) and status = 'completed' order by random() limit $2`,
    [tenants.map((tenant) => tenant.organizationId), count],
  );
  const byOrganization = new Map(tenants.map((tenant) => [tenant.organizationId, tenant]));
  return rows.map(({ id, organization_id: organizationId }) => ({ id, tenant: byOrganization.get(organizationId) }));
}

/** A completed result with an outline of 24 points. */
export function sampleResult() {
  const ring = Array.from({ length: 25 }, (_, index) => {
    const angle = (index % 24) * ((2 * Math.PI) / 24);
    return [Math.round(576 + 190 * Math.cos(angle)), Math.round(432 + 120 * Math.sin(angle))];
  });
  const measure = (pixels) => ({ pixels, cm: { value: pixels / 50, lower: pixels / 55, upper: pixels / 45 } });
  return {
    schemaVersion: '1.0',
    woundDetected: true,
    confidence: 0.984,
    quality: { acceptable: true, sharpness: 0.46, exposure: 54.2, glareShare: 0.0008, warnings: [] },
    scale: { source: 'client', mmPerPixel: 0.2, uncertaintyPct: 2, marker: null },
    wounds: [
      {
        index: 0,
        confidence: 0.962,
        boundingBox: { x: 386, y: 312, width: 380, height: 240 },
        contour: { type: 'Polygon', coordinates: [ring] },
        area: {
          pixels: 71628,
          pixelBounds: { lower: 60884, upper: 82372 },
          cm2: { value: 28.65, lower: 23.98, upper: 33.32 },
        },
        length: measure(380),
        width: measure(240),
        perimeter: measure(990),
        tissue: null,
      },
    ],
    totals: { woundCount: 1, areaPixels: 71628, areaCm2: 28.65 },
    scores: null,
    followUp: null,
    artifacts: {
      mask: { contentType: 'image/png', width: 1152, height: 864 },
      overlay: { contentType: 'image/jpeg', width: 1152, height: 864 },
    },
    trace: {
      models: [{ name: 'wound-segmentation', version: '0.1.0', sha256: '0'.repeat(64), researchOnly: true }],
      executionProvider: 'cpu',
      preprocessing: { inputWidth: 512, inputHeight: 512, resize: 'letterbox', colorSpace: 'srgb' },
      thresholds: { probability: 0.5, minAreaShare: 0.0003 },
      timingsMs: { decodeMs: 6.1, inferenceMs: 118.4, measureMs: 2.2, maskMs: 3.9 },
    },
  };
}
