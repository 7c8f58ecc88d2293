import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Controller, Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PublicRoute } from '../../../identity/index.js';
import { Settings } from '../../../platform/config/settings.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { conditional } from '../../../platform/http/entity-tag.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { ApiExcludeController } from '../../../platform/http/openapi.decorators.js';
import { invalidInput } from '../../../platform/http/parse-input.js';
import { pathOf } from '../../../platform/http/problem.js';
import { capabilityStatement } from './capability-statement.js';
import { OperationDirectory } from '../operations/operation-directory.js';
import { profilesDirectory, ProfileLibrary } from '../../../standards/fhir/profiles/profile-library.js';
import { ResourceXml } from '../../../standards/fhir/xml/resource-xml.js';
import { AnswerForm } from './answer-form.js';
import { basePathOf, queryOf } from './fhir-exchange.js';
import { requireAcceptable } from './negotiation.js';

/** The CapabilityStatement, for anybody: it says what the server does and nothing of its data. */
@ApiExcludeController()
@Controller(['fhir', 'fhir/R4'])
export class MetadataController {
  private readonly softwareVersion = readSoftwareVersion();
  /** Statements by base and form: nothing in them changes while the process runs, and anybody may ask for them. */
  private readonly texts = new Map<string, string>();

  constructor(
    private readonly settings: Settings,
    private readonly address: PublicAddress,
    private readonly operations: OperationDirectory,
    private readonly library: ProfileLibrary,
    private readonly xml: ResourceXml,
  ) {}

  @Get('metadata')
  @PublicRoute()
  read(@Req() request: FastifyRequest): HttpAnswer {
    const url = request.raw.url ?? '';
    const query = queryOf(url);
    requireAcceptable(request.headers.accept, query.get('_format'));
    if (!['full', 'normative', null].includes(query.get('mode')))
      throw invalidInput('/query/mode', 'must be full or normative: there are no TerminologyCapabilities');
    const base = `${this.address.url}${basePathOf(pathOf(url))}`;
    const form = AnswerForm.of(request.raw, query, this.xml);
    const answer = { status: 200, headers: form.headers, body: this.textFor(base, form) };
    return conditional(answer, request.headers['if-none-match']);
  }

  private textFor(base: string, form: AnswerForm): string {
    const key = `${base} ${form.format} ${form.isPretty}`;
    const known = this.texts.get(key);
    if (known !== undefined) return known;
    const facts = {
      base,
      softwareVersion: this.softwareVersion,
      requireIfMatch: this.settings.fhir.requireIfMatch,
    };
    const text = form.textOf(capabilityStatement(facts, this.operations, this.library));
    this.texts.set(key, text);
    return text;
  }
}

function readSoftwareVersion(): string {
  const { version } = JSON.parse(readFileSync(join(dirname(profilesDirectory()), 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
