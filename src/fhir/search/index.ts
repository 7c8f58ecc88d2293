import type { Provider } from '@nestjs/common';
import { ResourceFinder } from '../store/resource-finder.js';
import { ResourceSearch } from './resource-search.js';
import { StoredResourceSearch } from './stored-resource.search.js';

export { ResourceSearch, type SearchOptions } from './resource-search.js';
export {
  includesOf,
  parametersOf,
  revIncludesOf,
  sortsOf,
  type SearchParameterInfo,
} from '../search-index/parameters/search-parameters.js';

/** Stand on STORE_PROVIDERS. */
export const SEARCH_PROVIDERS: Provider[] = [
  ResourceFinder,
  { provide: ResourceSearch, useClass: StoredResourceSearch },
];
