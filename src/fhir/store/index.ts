import type { Provider } from '@nestjs/common';
import { R4Definitions } from '../definitions/r4-definitions.js';
import { ResourceIndexer } from '../search-index/rows/resource-indexer.js';
import { TypeSearches } from '../search-index/parameters/type-searches.js';
import { IndexRenewal } from './index-renewal.js';
import { ResourceStore } from './resource-store.js';
import { SqlResourceStore } from './sql-resource.store.js';

export { isServerId } from './client-ids.js';
export { ResourceStore, type Author, type ResourceTarget, type StoredResource } from './resource-store.js';

/** Besides them the module provides R4Definitions, of which a process has one. */
export const STORE_PROVIDERS: Provider[] = [
  {
    provide: TypeSearches,
    useFactory: (definitions: R4Definitions) => new TypeSearches(definitions),
    inject: [R4Definitions],
  },
  {
    provide: ResourceIndexer,
    useFactory: (searches: TypeSearches) => new ResourceIndexer(searches),
    inject: [TypeSearches],
  },
  { provide: ResourceStore, useClass: SqlResourceStore },
  IndexRenewal,
];
