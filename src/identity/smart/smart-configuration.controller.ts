import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '../../platform/http/openapi.decorators.js';
import { PublicAddress } from '../../platform/http/public-address.js';
import { PublicRoute } from '../../platform/http/route-access.js';
import { ASSERTION_ALGORITHMS } from './client-assertions.js';
import { tokenAddressOf } from './smart-addresses.js';

interface SmartConfiguration {
  readonly token_endpoint: string;
  readonly token_endpoint_auth_methods_supported: readonly string[];
  readonly token_endpoint_auth_signing_alg_values_supported: readonly string[];
  readonly grant_types_supported: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly capabilities: readonly string[];
}

/** SMART App Launch 2.2, conformance: what a back end needs, and nothing that is not there, such as an authorize endpoint. */
@ApiExcludeController()
@Controller(['.well-known', 'fhir/.well-known', 'fhir/R4/.well-known'])
export class SmartConfigurationController {
  constructor(private readonly address: PublicAddress) {}

  @Get('smart-configuration')
  @PublicRoute()
  read(): SmartConfiguration {
    return {
      token_endpoint: tokenAddressOf(this.address.url),
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
      grant_types_supported: ['client_credentials'],
      scopes_supported: ['system/*.cruds', 'system/*.rs', 'system/*.read', 'system/*.write'],
      capabilities: ['client-confidential-asymmetric', 'permission-v1', 'permission-v2'],
    };
  }
}
