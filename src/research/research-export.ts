import { mkdir, open, rename, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { OperatorAct } from '../core/audit/operator-trail.js';
import type { Operator } from '../core/tenancy/operator.js';
import { OperatorTrail } from '../core/audit/operator-trail.js';
import { SuturaError } from '../core/errors/sutura-error.js';
import { ObjectStore } from '../core/images/object-store.js';
import { TenancyService } from '../core/organizations/tenancy.service.js';
import type { ClinicalReport } from '../core/report/clinical-report.js';
import type { Tenant } from '../core/tenancy/tenant.js';
import { ServiceSecrets } from '../platform/database/service-secrets.js';
import { maskOf, withoutMetadata } from './deidentified-photo.js';
import { deidentified, type LabelSource } from './deidentified-result.js';
import { Pseudonyms } from './pseudonyms.js';
import { ResearchPolicies } from './research-policies.js';
import { ResearchRecords, type ResearchRecord } from './research-records.js';

const SECRET = 'research-pseudonyms';
const README = `De-identified results of wound photos.

images/, masks/  the same name before the type: npm run evaluate -- --images images --masks masks
results.ndjson   a line for each photo: pseudonyms, shifted day, figures
reviewed.txt     names of the photos whose outline a person accepted or corrected: --ids reviewed.txt

The masks of the other photos are the model's own: comparing that model with them says nothing.
Photos are of skin, and may still show a face, a tattoo, a wristband or a label. Look at them before you hand them on.
`;

/** How many photos left, by who answers for their outline. */
export interface ResearchExportView extends Readonly<Record<LabelSource, number>> {
  readonly folder: string;
  readonly photos: number;
  /** Their bytes were gone when they were read. */
  readonly missing: number;
}

/** Takes de-identified results with photos and masks away, in the layout that `npm run evaluate` reads. One photo is held at a time. */
@Injectable()
export class ResearchExport {
  constructor(
    private readonly policies: ResearchPolicies,
    private readonly records: ResearchRecords,
    private readonly store: ObjectStore,
    private readonly secrets: ServiceSecrets,
    private readonly tenancy: TenancyService,
    private readonly trail: OperatorTrail,
  ) {}

  /** `organization.not_found`. */
  async setPolicy(operator: Operator, organizationId: string, allowed: boolean): Promise<void> {
    await this.tenancy.findOrganization(organizationId);
    await this.record(
      operator,
      { organizationId },
      { interaction: '$research-policy', action: 'U', query: `allowed=${allowed}` },
    );
    if (allowed) await this.policies.allow(organizationId, operator.name);
    else await this.policies.forbid(organizationId);
  }

  /**
   * Writes a new folder; it is there only once it is whole. `research.not_allowed`, `organization.not_found`.
   * @param folder must not exist
   */
  async write(operator: Operator, tenant: Tenant, folder: string): Promise<ResearchExportView> {
    await this.tenancy.findOrganization(tenant.organizationId);
    if ((await this.policies.find(tenant.organizationId)) === null) {
      await this.record(operator, tenant, {
        interaction: '$research-export',
        action: 'R',
        query: 'refused=research.not_allowed',
      });
      throw new SuturaError('research.not_allowed');
    }
    await this.record(operator, tenant, { interaction: '$research-export', action: 'R', query: 'state=begun' });
    const draft = `${folder}.unfinished`;
    for (const inner of ['', 'images', 'masks']) await mkdir(join(draft, inner), { recursive: true, mode: 0o700 });
    const counts = await this.fill(tenant, draft);
    await writeFile(join(draft, 'README.md'), README, { mode: 0o600 });
    const query = Object.entries({ state: 'done', ...counts }).map(([name, value]) => `${name}=${value}`);
    await this.record(operator, tenant, { interaction: '$research-export', action: 'R', query: query.join('&') });
    await rename(draft, folder);
    return { folder, ...counts };
  }

  private async fill(tenant: Tenant, folder: string): Promise<Omit<ResearchExportView, 'folder'>> {
    const names = new Pseudonyms((await this.secrets.current(SECRET)).secret, tenant);
    const counts = { photos: 0, missing: 0, model: 0, accepted: 0, corrected: 0 };
    const results = await open(join(folder, 'results.ndjson'), 'wx', 0o600);
    const reviewed = await open(join(folder, 'reviewed.txt'), 'wx', 0o600);
    try {
      for await (const { record, report } of this.records.of(tenant)) {
        const photo = await this.store.get(record.objectKey);
        if (photo === null) {
          counts.missing += 1;
          continue;
        }
        const result = deidentified(record, report, names);
        await this.keepPhoto(folder, result.id, photo, outlinesOf(record, report));
        await append(results, JSON.stringify(result));
        if (result.label !== 'model') await append(reviewed, result.id);
        counts.photos += 1;
        counts[result.label] += 1;
      }
    } finally {
      await Promise.all([results.close(), reviewed.close()]);
    }
    return counts;
  }

  private async keepPhoto(
    folder: string,
    name: string,
    photo: Uint8Array,
    outlines: ReturnType<typeof outlinesOf>,
  ): Promise<void> {
    const { bytes, size } = await withoutMetadata(photo);
    await writeFile(join(folder, 'images', `${name}.jpg`), bytes, { mode: 0o600 });
    await writeFile(join(folder, 'masks', `${name}.png`), await maskOf(outlines, size), { mode: 0o600 });
  }

  private record(
    operator: Operator,
    of: Partial<Tenant>,
    act: Pick<OperatorAct, 'interaction' | 'action' | 'query'>,
  ): Promise<void> {
    return this.trail.record(operator, { ...act, of, resources: [`Organization/${of.organizationId}`] });
  }
}

/** Every outline of the photo; where a person chose or drew, those that they let stand. */
function outlinesOf({ wounds }: ResearchRecord, { content: { findings } }: ClinicalReport) {
  return findings.outlineSource === 'model' ? wounds.map(({ contour }) => contour) : findings.outlines;
}

async function append(file: FileHandle, line: string): Promise<void> {
  await file.write(`${line}\n`);
}
