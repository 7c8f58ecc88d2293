import { inGroups } from '../../core/trace/in-groups.js';
import { tenantOf } from '../../core/tenancy/tenant.js';
import type {
  DeletionReason,
  PhotoPlace,
  PhotoRecord,
  TracedImage,
  TracedJob,
  TracedOrder,
  TracedVersion,
} from '../../core/trace/trace.js';
import type { SystemStatements } from '../../platform/database/statements.js';
import { TracedRequests, type AuditedRequest } from './traced-requests.js';

const IMAGES = `select image.id, image.patient_id as "patientId", image.organization_id as "organizationId", image.environment, status, origin, size_bytes::float8 as "sizeBytes", sha256, verdict, upload_expires_at as "uploadExpiresAt",
    created_at as "createdAt", stored_at as "storedAt", deleted_at as "deletedAt", remote.tries as "fetchTries"
  from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as asked (id, organization_id, environment, place)
    join images image on image.id = asked.id and image.organization_id = asked.organization_id and image.environment = asked.environment
    left join remote_images remote on remote.image_id = image.id order by asked.place`;
/** Columns of a TracedOrder. */
export const ORDER_COLUMNS = `id, organization_id as "organizationId", environment, image_id as "imageId", state, error, retry_at as "retryAt", created_at as "createdAt"`;
const ORDERS = `select ${ORDER_COLUMNS} from analysis_requests where image_id = any($1::uuid[]) order by created_at, id`;
const JOBS = `select image_id as "imageId", id, report_id as "reportId", source, sandbox, status, attempts, error, coalesce(result -> 'trace' -> 'models', '[]') as models,
    created_at as "createdAt", started_at as "startedAt", completed_at as "completedAt", not_before as "notBefore"
  from analysis_jobs where image_id = any($1::uuid[]) order by created_at, id`;
/** Reports of the jobs of a photo, and those that replaced them. */
const VERSIONS = `with recursive told as (
    select job.image_id, report.id, report.version, report.replaced_by from analysis_jobs job join reports report on report.job_id = job.id and report.replaces is null where job.image_id = any($1::uuid[])
    union select told.image_id, next.id, next.version, next.replaced_by from told join reports next on next.id = told.replaced_by)
  select told.image_id as "imageId", told.id as "reportId", made.version, made.status, made.reason, made.issued_at as "issuedAt", made.version = told.version as "isPresent", told.replaced_by as "replacedBy"
  from told join report_versions made on made.report_id = told.id order by made.issued_at, made.version`;
/** What the records of a photo say of why it went, where the audit trail has no row for it. */
const ERASED = `select distinct patient_id as id from patient_erasures where patient_id = any($1::uuid[]) and rows_erased_at is not null`;
/** As the audit trail names the service's own deletions of what is too old. */
const RETENTION = 'retention';

type OfPhoto<Kept> = Kept & { readonly imageId: string };

/** The records of photos, a statement for each kind however many photos are asked for. */
export class TracedPhotos {
  constructor(
    private readonly statements: SystemStatements,
    private readonly requests: TracedRequests,
  ) {}

  /** In the order asked; without those that are unknown. */
  async list(places: readonly PhotoPlace[]): Promise<PhotoRecord[]> {
    if (places.length === 0) return [];
    const ids = places.map(({ imageId }) => imageId);
    const [images, orders, jobs, versions] = await Promise.all([
      this.images(places),
      this.of<TracedOrder>(ORDERS, ids),
      this.of<TracedJob>(JOBS, ids),
      this.of<TracedVersion>(VERSIONS, ids),
    ]);
    const [makers, reasons] = await Promise.all([
      this.requests.firstWritings(images.map((image) => ({ ...mediaOf(image), at: image.createdAt }))),
      this.reasonsOf(images),
    ]);
    return images.map((image) => ({
      image,
      madeBy: makers.get(mediaOf(image).resource) ?? null,
      goneFor: reasons.get(image.id) ?? null,
      orders: orders.get(image.id) ?? [],
      jobs: jobs.get(image.id) ?? [],
      versions: versions.get(image.id) ?? [],
    }));
  }

  private async images(places: readonly PhotoPlace[]): Promise<TracedImage[]> {
    const { rows } = await this.statements.run<TracedImage>(IMAGES, [
      places.map(({ imageId }) => imageId),
      places.map(({ tenant }) => tenant.organizationId),
      places.map(({ tenant }) => tenant.environment),
    ]);
    return rows;
  }

  private async of<Kept>(sql: string, imageIds: readonly string[]): Promise<ReadonlyMap<string, OfPhoto<Kept>[]>> {
    return inGroups((await this.statements.run<OfPhoto<Kept>>(sql, [[...imageIds]])).rows, ({ imageId }) => imageId);
  }

  /** Why photos were deleted, by image id; absent if unknown. */
  private async reasonsOf(images: readonly TracedImage[]): Promise<ReadonlyMap<string, DeletionReason>> {
    const gone = images.flatMap((image) =>
      image.deletedAt === null ? [] : [{ image, ...mediaOf(image), at: image.deletedAt }],
    );
    if (gone.length === 0) return new Map();
    const [deletings, erased] = await Promise.all([
      this.requests.deletings(gone),
      this.statements.run<{ id: string }>(ERASED, [gone.flatMap(({ image }) => image.patientId ?? [])]),
    ]);
    const erasedPatients = new Set(erased.rows.map(({ id }) => id));
    return new Map(
      gone.flatMap(({ image, resource }) => {
        const reason = reasonOf(image, deletings.get(resource), erasedPatients);
        return reason === null ? [] : [[image.id, reason] as const];
      }),
    );
  }
}

function reasonOf(
  { storedAt, origin, patientId }: TracedImage,
  deleting: AuditedRequest | undefined,
  erasedPatients: ReadonlySet<string>,
): DeletionReason | null {
  if (deleting !== undefined)
    return deleting.keyId === RETENTION
      ? { why: 'retention' }
      : { why: 'asked', by: deleting.keyId, door: deleting.door };
  if (storedAt === null) return { why: origin === 'message' ? 'refused' : 'unused' };
  return patientId !== null && erasedPatients.has(patientId) ? { why: 'erasure' } : null;
}

const mediaOf = (image: TracedImage): { readonly tenant: PhotoPlace['tenant']; readonly resource: string } => ({
  tenant: tenantOf(image),
  resource: `Media/${image.id}`,
});
