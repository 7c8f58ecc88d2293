import { Injectable } from '@nestjs/common';
import { EhrServer } from '../calls/ehr-server.js';
import type { AnsweredResource } from '../calls/fhir-answer.js';
import { listOf } from '../calls/fhir-answer.js';
import type { FiledForm, FiledType, Look } from '../dialects/filing.js';
import { HeldError } from '../settings/holds.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import { refuse } from './refusals.js';

/** A resource that an earlier request made. */
export interface Found {
  readonly type: FiledType;
  readonly id: string;
  readonly versionId: string | null;
}

interface LookTurn {
  readonly ehr: PushingEhr;
  readonly isAskedAnew: boolean;
  readonly signal: AbortSignal;
}

/** Looks for what an earlier request may have filed. */
@Injectable()
export class Looks {
  constructor(private readonly server: EhrServer) {}

  /** null: it is not there, and may be created. `ehr_outcome_unknown` where that cannot be told and no person has looked; `ehr_duplicate`. */
  async settle(look: Look, turn: LookTurn): Promise<Found | null> {
    const found = await this.find(look, turn);
    if (found !== 'unclear') return found;
    if (turn.isAskedAnew) return null;
    throw new HeldError('ehr_outcome_unknown');
  }

  /** `ehr_duplicate` where it is there more than once. */
  async find(look: Look, { ehr, signal }: LookTurn): Promise<Found | 'unclear' | null> {
    const { resources, isWhole } = await this.server.search(ehr, look.type, look.parameters, { signal, refuse });
    const ours: AnsweredResource[] = [];
    let isClear = isWhole;
    for (const resource of resources) {
      const isOurs = await this.isOurs(look, resource, { ehr, signal });
      if (isOurs === true) ours.push(resource);
      isClear &&= isOurs !== null;
    }
    if (ours.length > 1) throw new HeldError('ehr_duplicate');
    const [only] = ours;
    if (only === undefined) return isClear ? null : 'unclear';
    const { id, meta } = only;
    if (typeof id !== 'string') return 'unclear';
    const versionId = typeof meta?.versionId === 'string' ? meta.versionId : null;
    return { type: look.type, id, versionId };
  }

  /** null: that cannot be told. */
  async isOurs(
    look: Look,
    resource: AnsweredResource,
    { ehr, signal }: Omit<LookTurn, 'isAskedAnew'>,
  ): Promise<boolean | null> {
    const form = resource as FiledForm & AnsweredResource;
    const said = look.isOurs(form, null);
    if (said !== null || !look.readsContent) return said;
    const [content] = listOf((resource as { readonly content?: unknown }).content);
    const { data, url } = ((content as { readonly attachment?: unknown } | undefined)?.attachment ?? {}) as {
      readonly data?: unknown;
      readonly url?: unknown;
    };
    if (typeof data === 'string') return look.isOurs(form, Buffer.from(data, 'base64'));
    return typeof url === 'string' ? look.isOurs(form, await this.server.bytesOf(ehr, url, signal)) : null;
  }
}
