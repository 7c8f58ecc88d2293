import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import pg from 'pg';
import { composeReports, drawSeries, SITE } from './long-wound.mjs';

const { partContent, REPORT_CONTENTS } = await import(
  `${resolve(import.meta.dirname, '../../dist/src/records')}/reports/report-row.js`
);

/** Assessments of every other wound. */
const SHORT = 20;
/** The former are written in so many turns with others between, as time would write them: their rows do not lie together. */
const TURNS = 20;
const TABLES = ['images', 'analysis_jobs', 'wounds', 'reports', 'report_versions'];

/**
 * Writes `count` wounds of `length` assessments each (500), and `others` assessments of wounds of 20, straight by SQL, with outlines as
 * long as real ones. One photo has one place in the series of its wound: every report has an image row of its own, a copy of the one that the
 * tenant uploaded (`imageId`). Answers those of `length`, each with its tenant and its reports, oldest photo first.
 */
export async function loadWounds(databaseUrl, tenants, { count, length, others = 0 }) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const series = drawSeries(length);
    const wounds = [];
    for (let place = 0; place < count; place += 1)
      wounds.push(await openWound(client, tenants[place % tenants.length], place, series));
    const writeOthers = others === 0 ? () => undefined : await prepareOthers(client, wounds[0], tenants, others);
    for (let turn = 0; turn < TURNS; turn += 1) {
      await writeOthers(...partOf(others, turn));
      for (const wound of wounds) await writeTurn(client, wound, series, turn);
    }
    for (const table of TABLES) await client.query(`vacuum (analyze) ${table}`);
    return wounds;
  } finally {
    await client.end();
  }
}

const WOUND = `insert into wounds (id, organization_id, environment, patient_system, patient_value, wound_id_system, wound_id, body_site, laterality, wound_type, status, created_at)
  values ($1, $2, 'test', $3, $4, '', $5, $6, $7, $8, 'open', now())`;
const IMAGE_COLUMNS =
  'id, organization_id, environment, status, max_bytes, upload_expires_at, object_key, size_bytes, sha256, verdict, created_at, stored_at';
/** What a copy has of the uploaded image, in the order of the columns. */
const copyOf = (id, capturedAt) =>
  `${id}, uploaded.organization_id, uploaded.environment, uploaded.status, uploaded.max_bytes, uploaded.upload_expires_at, uploaded.object_key, uploaded.size_bytes, uploaded.sha256, uploaded.verdict, ${capturedAt}, ${capturedAt}`;
const IMAGES = `insert into images (${IMAGE_COLUMNS})
  select ${copyOf('given.image', 'given.captured_at')}
    from unnest($2::uuid[], $3::timestamptz[]) as given (image, captured_at) join images as uploaded on uploaded.id = $1`;
const JOBS = `insert into analysis_jobs (id, report_id, organization_id, environment, image_id, source, status, attempts, captured_at, created_at, completed_at, result)
  select job, report, $1, 'test', image, 'rest', 'completed', 1, captured_at, captured_at, captured_at, result
    from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::json[]) as given (image, job, report, captured_at, result)`;
const REPORTS = `insert into reports (id, organization_id, environment, job_id, image_id, wound_id, captured_at, job_created_at, version, status, created_at)
  select report, $1, 'test', job, image, $2, captured_at, captured_at, 1, 'preliminary', captured_at
    from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::timestamptz[]) as given (image, job, report, captured_at)`;
const VERSIONS = `insert into report_versions (report_id, version, organization_id, environment, status, reason, issued_at, figures, details, content_version)
  select report, 1, $1, 'test', 'preliminary', 'created', captured_at, figures, details, ${REPORT_CONTENTS.presentVersion}
    from unnest($2::uuid[], $3::timestamptz[], $4::json[], $5::json[]) as given (report, captured_at, figures, details)`;

async function openWound(client, tenant, place, series) {
  const id = randomUUID();
  const wound = {
    id,
    tenant,
    woundId: `measured-${id}`,
    patient: { system: 'urn:oid:2.16.840.1.113883.2.9', value: `MRN-${place}` },
  };
  await client.query(WOUND, [
    wound.id,
    tenant.organizationId,
    wound.patient.system,
    wound.patient.value,
    wound.woundId,
    SITE.bodySite,
    SITE.laterality,
    SITE.woundType,
  ]);
  return { ...wound, reports: composeReports(series, wound) };
}

/** From which number up to which, without it, a turn goes. */
const partOf = (count, turn) => [turn, turn + 1].map((done) => Math.round((done * count) / TURNS));

async function writeTurn(client, { id, tenant, reports }, series, turn) {
  const [from, to] = partOf(series.length, turn);
  const part = reports.slice(from, to);
  const [imageIds, jobIds, reportIds, times] = [
    part.map(({ imageId }) => imageId),
    part.map(({ jobId }) => jobId),
    part.map((report) => report.id),
    part.map(({ content }) => content.capturedAt),
  ];
  const results = series.slice(from, to).map(({ result }) => JSON.stringify(result));
  await client.query(IMAGES, [tenant.imageId, imageIds, times]);
  await client.query(JOBS, [tenant.organizationId, imageIds, jobIds, reportIds, times, results]);
  await client.query(REPORTS, [tenant.organizationId, id, imageIds, jobIds, reportIds, times]);
  await client.query(VERSIONS, [tenant.organizationId, reportIds, times, ...storedOf(part)]);
}

/** Figures and details, as the table keeps them. */
function storedOf(reports) {
  const parts = reports.map(({ content }) => partContent(content));
  return [parts.map(({ figures }) => JSON.stringify(figures)), parts.map(({ details }) => JSON.stringify(details))];
}

/** Ids of the others follow from their numbers, so that five tables can be written without remembering any. */
const idOf = (kind, number) => `md5('${kind}' || ${number})::uuid`;
/** $1 and $2: the first and the last number; $3: how many wounds they are spread over. */
const OTHERS = `with others as materialized (
    select ${idOf('job', 'number')} as job, ${idOf('report', 'number')} as report, ${idOf('wound', 'number % $3')} as wound, ${idOf('image', 'number')} as image, uploaded_id, organization_id, figures, details,
        now() - interval '84 hours' * (${SHORT} - number / $3) - interval '1 second' * (number % $3) as captured_at
      from generate_series($1::int, $2::int) as number
      join bench_templates on template = number % $4
      join bench_tenants on tenant = number % $3 % $5),
  photos as (insert into images (${IMAGE_COLUMNS})
    select ${copyOf('others.image', 'others.captured_at')} from others join images as uploaded on uploaded.id = others.uploaded_id),
  jobs as (insert into analysis_jobs (id, report_id, organization_id, environment, image_id, source, status, attempts, captured_at, created_at, completed_at, result)
    select job, report, organization_id, 'test', image, 'rest', 'completed', 1, captured_at, captured_at, captured_at, '{}' from others),
  filed as (insert into reports (id, organization_id, environment, job_id, image_id, wound_id, captured_at, job_created_at, version, status, created_at)
    select report, organization_id, 'test', job, image, wound, captured_at, captured_at, 1, 'preliminary', captured_at from others)
  insert into report_versions (report_id, version, organization_id, environment, status, reason, issued_at, figures, details, content_version)
    select report, 1, organization_id, 'test', 'preliminary', 'created', captured_at, figures, details, ${REPORT_CONTENTS.presentVersion} from others`;

/** Their wounds, and what their reports are copies of. Answers a function that writes the numbers from the one up to the other, without it. */
async function prepareOthers(client, { reports }, tenants, others) {
  const wounds = Math.ceil(others / SHORT);
  await client.query(
    'create temp table bench_tenants as select * from unnest($1::int[], $2::uuid[], $3::uuid[]) as given (tenant, organization_id, uploaded_id)',
    [[...tenants.keys()], tenants.map(({ organizationId }) => organizationId), tenants.map(({ imageId }) => imageId)],
  );
  await client.query(
    'create temp table bench_templates as select * from unnest($1::int[], $2::json[], $3::json[]) as given (template, figures, details)',
    [[...reports.keys()], ...storedOf(reports)],
  );
  await client.query(
    `insert into wounds (id, organization_id, environment, wound_id_system, wound_id, status, created_at)
       select ${idOf('wound', 'number')}, organization_id, 'test', '', 'short-' || number, 'open', now()
         from generate_series(0, $1::int - 1) as number join bench_tenants on tenant = number % $2::int`,
    [wounds, tenants.length],
  );
  return (from, to) => client.query(OTHERS, [from, to - 1, wounds, reports.length, tenants.length]);
}
