import type { Caller } from '../../../core/tenancy/api-key.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';

/** What an export is to have. */
export interface ExportOptions {
  /** Absolute, as the client addressed it: `https://…/fhir`. */
  readonly base: string;
  /** The address of the kick-off, with its query. */
  readonly url: string;
  /** `patient`: Patients, and what has one as its subject. */
  readonly level: 'system' | 'patient';
  readonly types: readonly string[];
  /** Only what was changed after this instant (ISO 8601, with milliseconds). */
  readonly since: string | null;
  /** Searches, each without its `Type?`. Of a type with several, what any of them matches. */
  readonly filters: readonly ExportFilter[];
}

export interface ExportFilter {
  readonly type: string;
  readonly query: string;
}

/** What the caller may see. */
export type ExportRights = Pick<Caller, 'scopes' | 'grants'>;

/** `ended`: its files are gone, and soon its row. */
export type ExportState = 'running' | 'complete' | 'failed' | 'ended';

/** An export as its caller sees it. */
export interface BulkExport {
  readonly id: string;
  readonly state: ExportState;
  readonly reason: 'cancelled' | 'expired' | 'patient_erased' | null;
  /** Empty once it has ended. */
  readonly options: Partial<ExportOptions>;
  readonly askedAt: Date;
  readonly transactionTime: Date | null;
  /** Place in the types of the options; behind the last, in what was deleted of each. */
  readonly atType: number;
  /** In files so far. */
  readonly resources: number;
  readonly expiresAt: Date;
}

/** A part of an export: resources of one type, or Bundles of what was deleted of it (`deletedOf`). */
export interface ExportFile {
  /** Counts from 1. */
  readonly number: number;
  readonly type: string;
  readonly resources: number;
  readonly bytes: number;
}

/** An export claimed by a process. */
export interface ExportWork extends Tenant {
  readonly id: string;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly rights: ExportRights;
  readonly options: ExportOptions;
  readonly transactionTime: Date | null;
  readonly barrier: string | null;
  readonly atType: number;
  readonly afterId: string | null;
  /** In files so far. */
  readonly files: number;
}

const DELETED = 'deleted:';

/** The type of a file with what was deleted of a type. */
export function deletedOf(type: string): string {
  return `${DELETED}${type}`;
}

/** Of which type a file is, and whether it has what was deleted of that. */
export function contentOf({ type }: Pick<ExportFile, 'type'>): { readonly type: string; readonly isDeleted: boolean } {
  const isDeleted = type.startsWith(DELETED);
  return { type: isDeleted ? type.slice(DELETED.length) : type, isDeleted };
}

/** All objects of an export lie below it, and go with it. */
export function folderOf(exportId: string): string {
  return `exports/${exportId}/`;
}

export function objectKeyOf(exportId: string, fileNumber: number): string {
  return `${folderOf(exportId)}${fileNumber}`;
}
