import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ClosingProjection } from './closing-projection.js';
import { RelationProjection } from './relation-projection.js';
import { StageProjection } from './stage-projection.js';

/** What people decided and stated of a wound as a whole: how it was closed, what it grew out of or fell into, its stage. */
@Injectable()
export class WoundProjection {
  constructor(
    private readonly closings: ClosingProjection,
    private readonly relations: RelationProjection,
    private readonly stages: StageProjection,
  ) {}

  /** `withStage`: also where no stage is shown yet. */
  async project(transaction: TenantTransaction, woundId: string, withStage: boolean): Promise<void> {
    await this.closings.project(transaction, woundId);
    await this.relations.project(transaction, woundId);
    await (withStage ? this.stages.project(transaction, woundId) : this.stages.refresh(transaction, woundId));
  }
}
