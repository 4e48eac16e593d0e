import { Controller, Get, Injectable, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { GivenText } from '../../http/input/given.js';
import { List, Text } from '../../http/members.js';
import { recordNotFound } from '../../platform/domain-error.js';
import { withAbortScope } from '../../platform/time/abort-scope.js';
import type { Institution } from '../../providers/bank-provider.js';
import { ProviderRegistry } from '../../providers/provider-registry.js';
import { ProviderRequestsService } from '../overview/provider-requests.service.js';

const SEARCH_DEADLINE_MS = 20_000;
/** More is no help to a person, who types another letter. */
const MAX_FOUND = 50;

/** Finds banks at a provider. */
@Injectable()
export class InstitutionsService {
  constructor(private readonly providers: ProviderRegistry) {}

  /** @throws ProviderError; DomainError `record_not_found` */
  async search(name: string, wanted: { text: string; country: string }): Promise<Institution[]> {
    const provider = this.providers.find(name)?.provider;
    if (!provider?.searchInstitutions) throw recordNotFound('provider');
    const found = await withAbortScope({ signals: [], timeoutMs: SEARCH_DEADLINE_MS }, (signal) =>
      provider.searchInstitutions!({ ...wanted, signal }),
    );
    return found.slice(0, MAX_FOUND);
  }
}

class SearchQuery {
  @GivenText({
    min: 1,
    max: 100,
    example: 'example_provider',
    description: 'An installed provider that has banks to choose.',
  })
  provider: string;

  @GivenText({ min: 2, max: 2, example: 'DE', description: 'ISO 3166 code of the country.' })
  country: string;

  @GivenText({ max: 100, optional: true, example: 'Sparkasse', description: 'Part of the name; absent: any.' })
  search: string = '';
}

class InstitutionResponse {
  @Text({ example: 'SPARKASSE_BERLIN', description: 'Of the provider.' })
  id: string;

  @Text({ example: 'Berliner Sparkasse' })
  name: string;
}

class InstitutionCollection {
  @List(InstitutionResponse)
  institutions: InstitutionResponse[];
}

@ApiTags('Connections')
@Controller('api/v1/institutions')
export class InstitutionsController {
  constructor(
    private readonly institutions: InstitutionsService,
    private readonly providerRequests: ProviderRequestsService,
  ) {}

  @Get()
  @RequireScope('connections:write')
  @ApiOperation({
    operationId: 'searchInstitutions',
    summary: 'Search banks',
    description:
      'The banks of a provider at which a person gives a consent, at most 50. Asks the provider. A consent is given on the pages, at ' +
      '`/connections/new`.',
  })
  @ApiResponse({ status: 200, description: 'Banks found.', type: InstitutionCollection })
  @ApiResponse({ status: 404, description: 'There is no such provider, or it has no search.', type: ErrorResponse })
  @ApiResponse({
    status: 502,
    description: 'The provider refused or failed; `details.kind` says how.',
    type: ErrorResponse,
  })
  async search(@Query() { provider, country, search }: SearchQuery): Promise<InstitutionCollection> {
    const found = await this.institutions
      .search(provider, { text: search, country: country.toUpperCase() })
      .catch((error: unknown) => {
        throw this.providerRequests.errorOf(error, provider);
      });
    return { institutions: found.map(({ id, name }) => ({ id, name })) };
  }
}
