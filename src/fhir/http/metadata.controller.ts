import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PublicRoute } from '../../identity/index.js';
import { Settings } from '../../platform/config/settings.js';
import { conditional } from '../../platform/http/entity-tag.js';
import { sendAnswer } from '../../platform/http/http-answer.js';
import { invalidInput } from '../../platform/http/parse-input.js';
import { pathOf } from '../../platform/http/problem.js';
import { capabilityStatement } from '../metadata/capability-statement.js';
import { OperationDirectory } from '../operations/operation-directory.js';
import { profilesDirectory, ProfileLibrary } from '../profiles/profile-library.js';
import { toJson } from './answer-rendering.js';
import { FHIR_HEADERS } from './fhir-headers.js';
import { basePathOf, queryOf } from './fhir-exchange.js';
import { requireAcceptable } from './negotiation.js';

/** The CapabilityStatement, for anybody: it says what the server does and nothing of its data. */
@ApiExcludeController()
@Controller(['fhir', 'fhir/R4'])
export class MetadataController {
  private readonly softwareVersion = readSoftwareVersion();

  constructor(
    private readonly settings: Settings,
    private readonly operations: OperationDirectory,
    private readonly library: ProfileLibrary,
  ) {}

  @Get('metadata')
  @PublicRoute()
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const url = request.raw.url ?? '';
    const query = queryOf(url);
    requireAcceptable(request.headers.accept, query.get('_format'));
    if (!['full', 'normative', null].includes(query.get('mode'))) throw invalidInput('/query/mode', 'must be full or normative: there are no TerminologyCapabilities');
    const base = `${this.settings.publicUrl}${basePathOf(pathOf(url))}`;
    const facts = { base, softwareVersion: this.softwareVersion, requireIfMatch: this.settings.environment.FHIR_REQUIRE_IF_MATCH };
    const statement = capabilityStatement(facts, this.operations, this.library);
    sendAnswer(reply, conditional({ status: 200, headers: { ...FHIR_HEADERS }, body: toJson(statement, query) }, request.headers['if-none-match']));
  }
}

function readSoftwareVersion(): string {
  const { version } = JSON.parse(readFileSync(join(dirname(profilesDirectory()), 'package.json'), 'utf8')) as { version: string };
  return version;
}
