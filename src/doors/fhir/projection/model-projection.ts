import { Injectable } from '@nestjs/common';
import type { Device, DocumentReference } from '@medplum/fhirtypes';
import { ModelCatalogue, type InstalledModel } from '../../../core/analysis/model-catalogue.js';
import type { ModelUsed } from '../../../core/measurement/wound-result.js';
import { Clock } from '../../../core/ports/clock.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { isSameJson } from '../../../core/report/same-content.js';
import { Settings } from '../../../platform/config/settings.js';
import { deviceId, modelCardId } from '../../../reports/index.js';
import { ModelResources } from '../interactions/model-resources.js';
import { hasWeights, modelExtensions, toDevice } from './minimal-resources.js';
import { toModelCard } from './model-card.js';
import { ServiceResources } from './service-resources.js';
import { isSameContent } from '../../../standards/fhir/types/same-content.js';

/**
 * Cards of the installed models and Devices of the active ones, in each tenant's own resources. Nothing is removed: results of a model that is no
 * longer there keep its Device and its card.
 */
@Injectable()
export class ModelProjection extends ModelResources {
  /** Tenants whose resources were found to be up to date; models do not change while a process runs. */
  private readonly upToDate = new Set<string>();

  constructor(
    private readonly resources: ServiceResources,
    private readonly catalogue: ModelCatalogue,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async show(transaction: TenantTransaction): Promise<void> {
    const tenant = `${transaction.tenant.organizationId}/${transaction.tenant.environment}`;
    if (this.upToDate.has(tenant)) return;
    const models = this.installed();
    if (models === null) return;
    for (const model of models) {
      await this.showCard(transaction, model);
      await this.showDevice(transaction, model);
    }
    transaction.afterCommit(() => void this.upToDate.add(tenant));
  }

  /** The card of a model that a result names, where exactly these weights are installed. */
  cardIdOf({ name, version, sha256 }: Pick<ModelUsed, 'name' | 'version'> & { sha256: string | null }): string | null {
    const model = this.installed()?.find(
      (each) => each.name === name && each.version === version && each.sha256 === sha256,
    );
    return model === undefined ? null : modelCardId(model);
  }

  /** null while the active models cannot be read, which the catalogue logs: no read and no result waits for that. */
  private installed(): readonly InstalledModel[] | null {
    try {
      const models = this.catalogue.installedModels();
      const ids = models.map((model) => modelCardId(model));
      // A folder that was copied has the same weights, perhaps beside another wording of the card: the first one counts.
      return models.filter((_, at) => ids.indexOf(ids[at]!) === at);
    } catch {
      return null;
    }
  }

  /** Another wording of the same card is a further version; the earlier one can still be read. */
  private async showCard(transaction: TenantTransaction, model: InstalledModel): Promise<void> {
    const now = this.clock.now().toISOString();
    const isShown = ({ resource }: { resource: DocumentReference }): boolean =>
      isSameContent(resource, toModelCard(model, resource.date!));
    const id = modelCardId(model);
    const made = () => toModelCard(model, now);
    if (isShown(await this.resources.ensure<DocumentReference>(transaction, 'DocumentReference', id, made))) return;
    const current = (await this.resources.findForUpdate<DocumentReference>(transaction, 'DocumentReference', id))!;
    if (!isShown(current)) await this.resources.write(transaction, current, made());
  }

  /** A Device from before there were cards gets its own, but never that of other weights under the same name. */
  private async showDevice(transaction: TenantTransaction, model: InstalledModel): Promise<void> {
    const id = deviceId(`${model.name}/${model.version}`);
    const extension = modelExtensions(modelCardId(model));
    const isShown = ({ extension: stated }: Device): boolean => isSameJson(stated, extension);
    const known = model.active
      ? await this.resources.ensure<Device>(transaction, 'Device', id, () =>
          toDevice(model, this.settings.fhir.snomed, modelCardId(model)),
        )
      : await this.resources.find<Device>(transaction, 'Device', id);
    if (known === null || isShown(known.resource) || !hasWeights(known.resource, model.sha256)) return;
    const current = (await this.resources.findForUpdate<Device>(transaction, 'Device', id))!;
    if (!isShown(current.resource))
      await this.resources.write<Device>(transaction, current, { ...current.resource, extension });
  }
}
