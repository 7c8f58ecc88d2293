import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { RelationWithdrawal, WoundRelation } from './wound-relation.js';

export abstract class WoundRelationRepository {
  abstract insert(transaction: TenantTransaction, relation: WoundRelation): Promise<void>;
  /** Of this wound, as a whole or a part, withdrawn ones too; oldest first. */
  abstract ofWound(transaction: TenantTransaction, woundId: string): Promise<WoundRelation[]>;
  /** It stays in the history. */
  abstract withdraw(transaction: TenantTransaction, relationId: string, withdrawal: RelationWithdrawal): Promise<void>;
}
