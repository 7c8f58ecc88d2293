import { Controller, Delete, Get, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { ObjectStore } from '../../../core/images/object-store.js';
import { Clock } from '../../../core/ports/clock.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresKey } from '../../../identity/index.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { ApiExcludeController } from '../../../platform/http/openapi.decorators.js';
import { FhirAudit } from '../audit/fhir-audit.js';
import { contentOf, objectKeyOf, type BulkExport, type ExportFile } from '../export/bulk-export.js';
import { BulkExports } from '../export/bulk-exports.js';
import { mayExport, readsAll } from '../export/exported-types.js';
import { informationOutcome } from '../../../standards/fhir/outcome/operation-outcome.js';
import { ResourceXml } from '../../../standards/fhir/xml/resource-xml.js';
import { AnswerForm, NO_STORE } from './answer-form.js';
import { queryOf } from './fhir-exchange.js';

const NDJSON = 'application/fhir+ndjson';
const FIRST_RETRY_S = 1;
const LAST_RETRY_S = 30;
const WHY = {
  cancelled: 'It was cancelled.',
  expired: 'Its files were kept as long as they are kept, and are gone.',
  patient_erased: 'A patient was erased, and all files that may have named them. Ask for the export again.',
} as const;

/** State, files and end of an export (Bulk Data Access 2.0), for the key or client that asked for it; not found for others. */
@ApiExcludeController()
@Controller(['fhir', 'fhir/R4'])
export class ExportController {
  constructor(
    private readonly exports: BulkExports,
    private readonly audit: FhirAudit,
    private readonly unitOfWork: UnitOfWork,
    private readonly store: ObjectStore,
    private readonly clock: Clock,
    private readonly xml: ResourceXml,
  ) {}

  /** 202 while it runs, 200 with the manifest. `export.not_found`, `export.failed`, `auth.scope`. */
  @Get('$export-status/:id')
  @RequiresKey()
  async state(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<HttpAnswer> {
    requireExporter(caller);
    return this.unitOfWork.inTenant(caller, async (transaction) => {
      const found = await this.find(transaction, id, caller);
      if (found.state === 'failed') throw new SuturaError('export.failed');
      return found.state === 'complete'
        ? manifestOf(found, await this.exports.files(transaction, id))
        : this.underWay(found);
    });
  }

  /** 202; not found afterwards. `export.not_found`, `auth.scope`. */
  @Delete('$export-status/:id')
  @RequiresKey()
  async cancel(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    requireExporter(caller);
    await this.unitOfWork.inTenant(caller, async (transaction) => {
      const found = await this.find(transaction, id, caller);
      if (!(await this.exports.cancel(transaction, found.id, caller))) throw new SuturaError('export.not_found');
      await this.record(transaction, caller, request, `export=${id}&cancelled=true`);
    });
    const form = AnswerForm.of(request.raw, queryOf(request.raw.url ?? ''), this.xml);
    const outcome = informationOutcome('The export was ended, and its files will be removed.');
    return { status: 202, headers: form.headers, body: form.textOf(outcome) };
  }

  /** The file. `export.not_found`; `auth.scope` for a token that does not read its type. */
  @Get('$export-files/:id/:number')
  @RequiresKey()
  async file(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('number') number: string,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    requireExporter(caller);
    const { type } = await this.unitOfWork.inTenant(caller, async (transaction) => {
      const found = await this.find(transaction, id, caller);
      const files = found.state === 'complete' ? await this.exports.files(transaction, id) : [];
      const file = files.find((one) => String(one.number) === number);
      if (file === undefined) throw new SuturaError('export.not_found');
      const of = contentOf(file);
      if (!readsAll(caller, of.type))
        throw new SuturaError('auth.scope', { detail: `${of.type} may not be read with this key or token.` });
      await this.record(transaction, caller, request, `export=${id}&file=${number}&type=${file.type}`);
      return { type: of.isDeleted ? 'Bundle' : of.type };
    });
    const bytes = await this.store.get(objectKeyOf(id, Number(number)));
    if (bytes === null) throw new SuturaError('export.not_found');
    return {
      status: 200,
      headers: {
        'content-type': NDJSON,
        ...NO_STORE,
        'content-disposition': `attachment; filename="${type}-${number}.ndjson"`,
      },
      body: bytes,
    };
  }

  private async find(transaction: TenantTransaction, id: string, caller: Caller): Promise<BulkExport> {
    const found = await this.exports.find(transaction, id, caller);
    if (found === null) throw new SuturaError('export.not_found');
    if (found.state === 'ended') throw new SuturaError('export.not_found', { detail: WHY[found.reason!] });
    if (found.state !== 'running' && found.expiresAt <= this.clock.now())
      throw new SuturaError('export.not_found', { detail: WHY.expired });
    return found;
  }

  private underWay({ askedAt, options, atType, resources, transactionTime }: BulkExport): HttpAnswer {
    const elapsedS = (this.clock.now().getTime() - askedAt.getTime()) / 1000;
    const retryAfterS = Math.ceil(Math.min(LAST_RETRY_S, Math.max(FIRST_RETRY_S, elapsedS / 4)));
    const { types = [] } = options;
    const type = transactionTime === null ? undefined : types[atType % types.length];
    const progress = type === undefined ? 'waiting for its turn' : `at ${type}, ${resources} resources written`;
    const headers = { 'retry-after': String(retryAfterS), 'x-progress': progress, ...NO_STORE };
    return { status: 202, headers, body: null };
  }

  private record(
    transaction: TenantTransaction,
    caller: Caller,
    { id: requestId }: FastifyRequest,
    query: string,
  ): Promise<void> {
    return this.audit.record({ transaction, caller, requestId }, '$export', { query });
  }
}

function requireExporter(caller: Caller): void {
  if (!mayExport(caller))
    throw new SuturaError('auth.scope', {
      detail: 'The key lacks the scope "bulk:export", or the token reads no type. Use one that has it.',
    });
}

/** https://hl7.org/fhir/uv/bulkdata/STU2/export.html, "Response - Complete Status". An erasure leaves no trace, in `deleted` neither. */
function manifestOf({ id, options, transactionTime, expiresAt }: BulkExport, files: readonly ExportFile[]): HttpAnswer {
  const shown = (file: ExportFile): object => ({
    type: contentOf(file).isDeleted ? 'Bundle' : file.type,
    url: `${options.base}/$export-files/${id}/${file.number}`,
    count: file.resources,
  });
  const manifest = {
    transactionTime: transactionTime!.toISOString(),
    request: options.url,
    requiresAccessToken: true,
    output: files.filter((file) => !contentOf(file).isDeleted).map(shown),
    ...((options.since ?? null) === null
      ? {}
      : { deleted: files.filter((file) => contentOf(file).isDeleted).map(shown) }),
    error: [],
  };
  return {
    status: 200,
    headers: { 'content-type': 'application/json', ...NO_STORE, expires: expiresAt.toUTCString() },
    body: JSON.stringify(manifest),
  };
}
