import { Injectable } from '@nestjs/common';
import { ReviewLinkRepository, type NewReviewLink, type ReviewLink } from '../../core/report/review-link.js';
import { HELD_BY } from '../../core/tenancy/roles.js';
import { isCanonicalUuid, SystemStatements } from '../../platform/database/statements.js';

const INSERT = `with gone as (delete from review_links where ctid = any (array(
    select ctid from review_links where expires_at < sutura_now() limit 20 for update skip locked))),
  -- A change of the registration ends the desks that there are: it waits for this row, or this row finds it.
  registered as (select 1 from ehrs where id = $4 and updated_at = $19 for share)
  insert into review_links (id, organization_id, environment, key_id, person, subject, subject_id, report_id, mode, language, frame_origin, sha256, person_name, expires_at, person_system,
    is_framed, is_banner_short, idle_s, used_at, report_ids)
    select $1::uuid, $2::uuid, $3, $4::uuid, $5, $6, $7::uuid, $8::uuid, $9, $10, $11, $12::bytea, $13, sutura_now() + make_interval(secs => $14), $15, $16::boolean, $17::boolean, $18::int, sutura_now(), $20::uuid[]
      where $19::timestamptz is null or exists (select from registered)
  returning expires_at as "expiresAt"`;
const COLUMNS = `l.id, l.organization_id as "organizationId", l.environment,
  coalesce((select 'user:' || u.name from users u where u.id = l.key_id), l.key_id::text) as "keyId", l.person, l.person_system as "personSystem", l.person_name as "personName", l.subject, l.subject_id as "subjectId",
  l.report_id as "reportId", l.report_ids as "reportIds", l.mode, l.language, l.frame_origin as "frameOrigin", (l.is_framed or l.frame_origin is not null) as "isFramed",
  l.is_banner_short as "isBannerShort", l.idle_s as "idleS", least(l.expires_at, l.used_at + make_interval(secs => l.idle_s)) as "expiresAt"`;
const REVIEWERS = HELD_BY.reviewer.map((role) => `'${role}'`).join(', ');
/** In time, and made by a key or client that still works, by a user who still may, or by an EHR whose people still may. */
const IN_FORCE = `l.id = $1 and l.expires_at > sutura_now()
  and (l.idle_s is null or l.used_at + make_interval(secs => l.idle_s) > sutura_now()) and (
    exists (select from ehrs e where e.id = l.key_id and e.organization_id = l.organization_id and e.environment = l.environment
      and (e.launch ->> 'people' = l.mode or e.launch ->> 'people' = 'review')) or
    exists (select from api_keys k where k.id = l.key_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > sutura_now()))
    or exists (select from oauth_clients c where c.id = l.key_id and c.revoked_at is null)
    or exists (select from users u where u.id = l.key_id and u.disabled_at is null and (u.is_installation_admin
      or exists (select from user_roles r where r.user_id = u.id and r.organization_id = l.organization_id and r.role in (${REVIEWERS})))))`;
/** A use is written down this often, and not with each of a page's requests. */
const USE_DUE = `l.idle_s is not null and l.used_at < sutura_now() - interval '30 seconds'`;

@Injectable()
export class SqlReviewLinkRepository extends ReviewLinkRepository {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async insert(link: NewReviewLink): Promise<Date | null> {
    const { id, organizationId, environment, holderId, person, subject, subjectId, reportId, mode, language } = link;
    const { rows } = await this.statements.run<{ readonly expiresAt: Date }>(INSERT, [
      id,
      organizationId,
      environment,
      holderId,
      person,
      subject,
      subjectId,
      reportId,
      mode,
      language,
      link.frameOrigin,
      Buffer.from(link.sha256),
      link.personName,
      link.lifeS,
      link.personSystem,
      link.isFramed,
      link.isBannerShort,
      link.idleS,
      link.ehrAsOf ?? null,
      link.reportIds,
    ]);
    return rows[0]?.expiresAt ?? null;
  }

  open(linkId: string, sha256: Uint8Array, sessionSha256: Uint8Array): Promise<ReviewLink | null> {
    return this.one(
      `update review_links l set session_sha256 = $3 where ${IN_FORCE} and l.sha256 = $2 and l.session_sha256 is null returning ${COLUMNS}`,
      [linkId, Buffer.from(sha256), Buffer.from(sessionSha256)],
    );
  }

  async findOpened(linkId: string, sessionSha256: Uint8Array, isUse: boolean): Promise<ReviewLink | null> {
    const values = [linkId, Buffer.from(sessionSha256)] as const;
    const found = await this.one<ReviewLink & { readonly isUseDue: boolean }>(
      `select ${COLUMNS}, coalesce(${USE_DUE}, false) as "isUseDue" from review_links l where ${IN_FORCE} and l.session_sha256 = $2`,
      values,
    );
    if (found === null) return null;
    const { isUseDue, ...link } = found;
    if (!isUse || !isUseDue) return link;
    return this.one(
      `update review_links l set used_at = sutura_now() where ${IN_FORCE} and l.session_sha256 = $2 returning ${COLUMNS}`,
      values,
    );
  }

  async frameOriginsOf(linkId: string): Promise<readonly string[]> {
    if (!isCanonicalUuid(linkId)) return [];
    const sql = `select case when l.frame_origin = any (o.review_frame_origins) then array[l.frame_origin] else e.frame_ancestors end as origins
      from review_links l join organizations o on o.id = l.organization_id left join ehrs e on e.id = l.key_id where ${IN_FORCE}`;
    return (await this.statements.run<{ readonly origins: string[] | null }>(sql, [linkId])).rows[0]?.origins ?? [];
  }

  async end(linkId: string): Promise<void> {
    await this.statements.run('delete from review_links where id = $1', [linkId]);
  }

  private async one<Row extends ReviewLink>(sql: string, values: readonly [string, ...unknown[]]): Promise<Row | null> {
    if (!isCanonicalUuid(values[0])) return null;
    return (await this.statements.run<Row>(sql, values)).rows[0] ?? null;
  }
}
