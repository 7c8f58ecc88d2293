import type { BundleEntry } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { NoEhrAnswerError } from '../../../ehrs/index.js';
import { EhrServer } from '../calls/ehr-server.js';
import {
  listOf,
  placeOf as placeInUrl,
  versionOf as versionOfTag,
  type AnsweredResource,
} from '../calls/fhir-answer.js';
import { bundleOf, filedIdentifier, type FiledForm, type Write } from '../dialects/filing.js';
import { HeldError } from '../settings/holds.js';
import type { Filed, FilingTurn } from './filing-turn.js';
import { Looks } from './looks.js';
import { refuse } from './refusals.js';

/** Files all writes of a version in one transaction Bundle. */
@Injectable()
export class TransactionFiler {
  constructor(
    private readonly server: EhrServer,
    private readonly looks: Looks,
  ) {}

  /** HeldError, TransientError, NoEhrAnswerError. */
  async file(writes: readonly Write[], turn: FilingTurn): Promise<readonly Filed[]> {
    const there = turn.mayBeThere ? await this.allThere(writes, turn) : null;
    if (there !== null) return there;
    const entries = await Promise.all(writes.map((write) => this.entryOf(write, turn)));
    const answer = await this.server.ask(turn.ehr, {
      method: 'POST',
      path: '',
      body: bundleOf(entries),
      signal: turn.signal,
    });
    if (answer.status === 200 || answer.status === 201) return filedOf(writes, answer.resource);
    if (answer.status === 412) throw new HeldError('ehr_changed_there', answer.codes);
    return refuse(answer);
  }

  /** All of the transaction, which an earlier request has filed; null: none of it, as it files all or nothing. */
  private async allThere(writes: readonly Write[], turn: FilingTurn): Promise<readonly Filed[] | null> {
    const filed: Filed[] = [];
    for (const write of writes) {
      const found = await this.placeOf(write, turn);
      if (found === null) return null;
      filed.push(found);
    }
    return filed;
  }

  private async placeOf(write: Write, turn: FilingTurn): Promise<Filed | null> {
    const { part } = write;
    if (write.kind === 'create') {
      const found = await this.looks.settle(write.look, turn);
      return found === null ? null : { part, ...found };
    }
    const present = await this.present(write, turn);
    const isDone =
      write.kind === 'amend'
        ? (present as { readonly status?: unknown }).status === write.status
        : filedIdentifier(present as FiledForm, '') === filedIdentifier(write.resource);
    return isDone ? { part, type: write.of.type, id: write.of.id, versionId: versionIdOf(present) } : null;
  }

  private async entryOf(write: Write, turn: FilingTurn): Promise<BundleEntry> {
    if (write.kind === 'create') {
      const { resource } = write;
      const ifNoneExist = `identifier=${encodeURIComponent(filedIdentifier(resource))}`;
      return {
        ...(write.fullUrl === undefined ? {} : { fullUrl: write.fullUrl }),
        resource,
        request: { method: 'POST', url: resource.resourceType, ifNoneExist },
      };
    }
    const { type, id, versionId: kept } = write.of;
    const present = write.kind === 'amend' || kept === null ? await this.present(write, turn) : null;
    const versionId = present === null ? kept : versionIdOf(present);
    const resource =
      write.kind === 'amend' ? ({ ...present, status: write.status } as FiledForm) : { ...write.resource, id };
    return {
      fullUrl: `${turn.ehr.fhirBaseUrl}/${type}/${id}`,
      resource,
      request: { method: 'PUT', url: `${type}/${id}`, ...(versionId === null ? {} : { ifMatch: `W/"${versionId}"` }) },
    };
  }

  private async present(
    { of }: Exclude<Write, { kind: 'create' }>,
    { ehr, signal }: FilingTurn,
  ): Promise<AnsweredResource> {
    const answer = await this.server.ask(ehr, { method: 'GET', path: `${of.type}/${of.id}`, signal });
    if (answer.status === 404 || answer.status === 410) throw new HeldError('ehr_removed_there', answer.codes);
    if (answer.status !== 200) return refuse(answer);
    if (answer.resource?.resourceType !== of.type) throw new NoEhrAnswerError('no_resource', false);
    return answer.resource;
  }
}

/** What the server says of each entry, in their order. A server that says nothing of one has filed it all the same. */
function filedOf(writes: readonly Write[], response: AnsweredResource | null): readonly Filed[] {
  const entries = listOf((response as { readonly entry?: unknown } | null)?.entry);
  return writes.map((write, index): Filed => {
    const said = ((entries[index] as { readonly response?: unknown } | undefined)?.response ?? {}) as {
      readonly location?: unknown;
      readonly etag?: unknown;
    };
    const place = placeInUrl(typeof said.location === 'string' ? said.location : undefined);
    const versionId = place?.versionId ?? versionOfTag(typeof said.etag === 'string' ? said.etag : undefined);
    if (write.kind !== 'create') return { part: write.part, type: write.of.type, id: write.of.id, versionId };
    return { part: write.part, type: write.resource.resourceType, id: place?.id ?? null, versionId };
  });
}

function versionIdOf({ meta }: AnsweredResource): string | null {
  return typeof meta?.versionId === 'string' ? meta.versionId : null;
}
