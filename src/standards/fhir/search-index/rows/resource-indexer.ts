import type { Resource } from '@medplum/fhirtypes';
import type { Tenant } from '../../../../core/tenancy/tenant.js';
import type { ElementPath, FoundValue } from '../parameters/compile-path.js';
import { SERVED_TYPES } from '../../types/served-types.js';
import type { CodedQuantity, CompiledParameter, CompiledType, TypeSearches } from '../parameters/type-searches.js';
import { foldText, TEXT_LIMIT } from '../values/folded-text.js';
import { addressOf, indexable, indexKey, linkOf, qualifierOf } from '../values/index-key.js';
import {
  identifierOf,
  intervalOf,
  measureOf,
  stringsOf,
  targetOf,
  textsOf,
  tokensOf,
  type TokenValue,
} from './element-values.js';
import type { DateRow, IndexRows, QuantityRow, ReferenceRow, StringRow, TermRow } from './index-rows.js';
import { identifierPath, systemValue, TEXT_PARTER, textPath } from './special-keys.js';

/** Only the beginning of a long text is folded: enough for the indexed part, however many accents and blanks are removed. */
const FOLDED_AT_MOST = 16 * TEXT_LIMIT;

/** What a deleted resource is found by. */
export const NOTHING: IndexRows = {
  clinical: null,
  present: [],
  terms: [],
  references: [],
  dates: [],
  quantities: [],
  strings: [],
};

/** Parameters kept in columns of the resource, which need no rows. */
const IN_COLUMNS = ['_id', '_lastUpdated'];

/** The element of references that no search parameter looks at: whoever deletes their target asks for them. */
const UNSEARCHED = '*';
const LITERAL = /^([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[^/]+)?$/;

/** Makes the rows of all search parameters of a resource. Parameters of the same element share their rows. */
export class ResourceIndexer {
  private elements: readonly string[] | null = null;

  constructor(private readonly searches: TypeSearches) {}

  /** All links under which the rows of a tenant have references. */
  linksOf(tenant: Tenant): string[] {
    this.elements ??= [...new Set([...SERVED_TYPES.flatMap((type) => this.referencesOf(type)), UNSEARCHED])];
    return this.elements.map((element) => linkOf(tenant, element));
  }

  private referencesOf(type: string): string[] {
    const parameters = [...(this.searches.of(type)?.parameters.values() ?? [])];
    return parameters
      .filter((parameter) => parameter.type === 'reference')
      .flatMap(({ paths }) => paths.map(({ key }) => key));
  }

  rowsOf(tenant: Tenant, resource: Resource): IndexRows {
    const compiled = this.searches.of(resource.resourceType);
    return compiled === undefined ? NOTHING : new Indexing(tenant, compiled).run(resource);
  }
}

/** One run over one resource. */
class Indexing {
  private readonly present: string[] = [];
  private readonly terms = new Map<string, TermRow>();
  private readonly foremost = new Set<string>();
  private readonly references = new Map<string, ReferenceRow>();
  private readonly dates = new Map<string, DateRow>();
  private readonly quantities = new Map<string, QuantityRow>();
  private readonly strings = new Map<string, StringRow>();
  private readonly done = new Set<string>();
  private clinical: IndexRows['clinical'] = null;

  constructor(
    private readonly tenant: Tenant,
    private readonly compiled: CompiledType,
  ) {}

  run(resource: Resource): IndexRows {
    const composites = [...this.compiled.parameters.values()].flatMap(({ composite }) => composite ?? []);
    // First, because these write the rows of the plain parameter as well.
    for (const composite of composites) this.addCodedQuantities(composite, resource);
    for (const parameter of this.compiled.parameters.values()) this.addParameter(parameter, resource);
    this.addUnsearched(resource, new Set([...this.references.values()].map(({ target }) => target)));
    const rows = {
      terms: [...this.terms.values()],
      references: [...this.references.values()],
      dates: [...this.dates.values()],
    };
    return {
      ...rows,
      clinical: this.clinical,
      present: this.present,
      quantities: [...this.quantities.values()],
      strings: [...this.strings.values()],
    };
  }

  private addParameter(parameter: CompiledParameter, resource: Resource): void {
    if (IN_COLUMNS.includes(parameter.name) || parameter.composite !== undefined) return;
    let isPresent = false;
    for (const path of parameter.paths) {
      const found = path.walk(resource);
      isPresent ||= found.length > 0;
      if (parameter.isClinicalDate)
        this.clinical ??= found.map(intervalOf).find((interval) => interval !== null) ?? null;
      else if (found.length > 0 && !this.isDone(parameter, path))
        for (const each of found) this.addValue(parameter, path, each);
    }
    if (isPresent) this.present.push(parameter.name);
  }

  /** True where another parameter makes the rows of the element already. One that counts only some targets adds none. */
  private isDone({ type }: CompiledParameter, path: ElementPath): boolean {
    const mark = `${type} ${path.key}`;
    if (this.done.has(mark)) return true;
    if (path.targetType === undefined) this.done.add(mark);
    return false;
  }

  private addValue({ type }: CompiledParameter, path: ElementPath, found: FoundValue): void {
    if (type === 'token') this.addToken(path, found);
    else if (type === 'uri') this.addUri(path, found);
    else if (type === 'reference') this.addReference(path, found);
    else if (type === 'date') this.addDate(path, found);
    else if (type === 'string') for (const text of stringsOf(found)) this.addString(path.key, text);
    else this.addQuantity(path.key, found, []);
  }

  private addToken(path: ElementPath, found: FoundValue): void {
    for (const token of tokensOf(found)) this.addTerm(path.key, token);
    const texts = textsOf(found).map(foldText);
    if (texts.length > 0) this.addText(path.key, texts);
  }

  private addTerm(key: string, { system, code }: TokenValue): void {
    this.putTerm(indexKey(this.tenant, key, code), qualifierOf(system));
    if (system !== '') this.putTerm(indexKey(this.tenant, key, systemValue(system)), '0');
  }

  private putTerm(term: string, qualifier: string): void {
    const mark = `${term}${qualifier}`;
    if (this.terms.has(mark)) return;
    this.terms.set(mark, { term, qualifier, foremost: !this.foremost.has(term) });
    this.foremost.add(term);
  }

  /** A canonical with a version is found with and without it. */
  private addUri({ key }: ElementPath, { value }: FoundValue): void {
    const url = String(value);
    for (const each of new Set([url, url.split('|')[0]!])) this.putTerm(indexKey(this.tenant, key, each), '0');
  }

  private addReference({ key }: ElementPath, { value }: FoundValue): void {
    const target = targetOf(value);
    if (target !== null) {
      const row = { link: linkOf(this.tenant, key), target: addressOf(this.tenant, target.type, indexable(target.id)) };
      this.references.set(`${row.link} ${row.target}`, row);
    }
    for (const identifier of identifierOf(value)) this.addTerm(identifierPath(key), identifier);
  }

  /** A reference wherever it stands, in contained resources too, unless its target has a row already. */
  private addUnsearched(value: object, known: ReadonlySet<string>): void {
    for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
      if (typeof inner === 'object' && inner !== null) this.addUnsearched(inner, known);
      const [, type, id] = name === 'reference' && typeof inner === 'string' ? (LITERAL.exec(inner) ?? []) : [];
      if (type === undefined || id === undefined) continue;
      const target = addressOf(this.tenant, type, id);
      const link = linkOf(this.tenant, UNSEARCHED);
      if (!known.has(target)) this.references.set(`${link} ${target}`, { link, target });
    }
  }

  private addDate({ key }: ElementPath, found: FoundValue): void {
    const interval = intervalOf(found);
    if (interval === null) return;
    const link = linkOf(this.tenant, key);
    this.dates.set(`${link} ${String(interval.low)}${String(interval.high)}`, { link, ...interval });
  }

  private addCodedQuantities({ key, base, code, quantity }: CodedQuantity, resource: Resource): void {
    for (const element of base.walk(resource)) {
      const codes = code.walk(element.value).flatMap(tokensOf);
      for (const found of quantity.walk(element.value)) this.addQuantity(key, found, codes);
    }
    this.done.add(`quantity ${key}`);
  }

  private addQuantity(key: string, found: FoundValue, codes: readonly TokenValue[]): void {
    const measure = measureOf(found);
    if (measure === null) return;
    const link = linkOf(this.tenant, key);
    for (const { code, system } of codes.length === 0 ? [{ code: '', system: '' }] : codes) {
      const row = {
        link,
        code: indexable(code),
        codeSystem: qualifierOf(system),
        ...measure,
        unit: indexable(measure.unit),
        unitSystem: indexable(measure.unitSystem),
      };
      this.quantities.set(
        [link, row.codeSystem, row.code, row.unitSystem, row.unit, row.low, row.high, row.givenLow, row.givenHigh].join(
          '\n',
        ),
        row,
      );
    }
  }

  private addString(key: string, text: string): void {
    const row = {
      link: linkOf(this.tenant, key),
      value: [...foldText(text.slice(0, FOLDED_AT_MOST))].slice(0, TEXT_LIMIT).join(''),
      exact: text.replaceAll('\u0000', '').slice(0, TEXT_LIMIT + 1),
    };
    this.strings.set(`${row.link} ${row.exact}`, row);
  }

  /** All texts of an element in one row, each after a separator, in the column without an index, which would limit its length. */
  private addText(key: string, texts: readonly string[]): void {
    const link = linkOf(this.tenant, textPath(key));
    const known = this.strings.get(link)?.exact ?? '';
    const parted = new Set(texts.map((text) => `${TEXT_PARTER}${text.slice(0, TEXT_LIMIT)}`));
    this.strings.set(link, {
      link,
      value: '',
      exact: known + [...parted].filter((text) => !known.includes(text)).join(''),
    });
  }
}
