import { error, type ResourceIssue } from '../../../standards/fhir/validation/resource-issue.js';
import type { BundleEntry } from './bundle-entry.js';
import { relativeTo } from './entry-target.js';
import type { FoundLink } from './find-links.js';

const URN = /^urn:(uuid|oid):/i;
/** R4 bundle.html, resolving references in bundles: the root of a RESTful fullUrl. */
const RESTFUL = /^(https?:\/\/.+\/)[A-Z][A-Za-z]+\/[A-Za-z0-9\-.]{1,64}$/;
const CONDITIONAL = /^([A-Z][A-Za-z]+)\?(.+)$/;
/** Links in narrative: `<a href>` and `<img src>`. */
const NARRATIVE_LINK = /(<(?:a|img)\b[^<>]*?\s(?:href|src)\s*=\s*)("[^"<>]*"|'[^'<>]*')/g;

interface NamedEntry {
  readonly type: string;
  /** `Type/id`; null until it has one. */
  address: string | null;
  readonly isSkipped: boolean;
}

/** The names that the entries of one Bundle have for each other, and what they come to. */
export class EntryLinks {
  /** By fullUrl: the type of the entry, and its `Type/id` once that is known. */
  private readonly entries = new Map<string, NamedEntry>();
  private readonly byIndex = new Map<number, NamedEntry>();
  private readonly conditional = new Map<string, string>();

  constructor(
    entries: readonly BundleEntry[],
    private readonly base: string,
  ) {
    for (const { index, fullUrl, method, target, skipped } of entries) {
      if (method === 'GET' || method === 'HEAD' || method === 'DELETE') continue;
      const entry = { type: target.type, address: null, isSkipped: skipped !== undefined };
      this.byIndex.set(index, entry);
      if (fullUrl !== null) this.entries.set(keyOf(fullUrl), entry);
      // A resource that is put to an address may be referred to by it, whatever its fullUrl.
      const address = target.kind === 'instance' ? `${target.type}/${target.id}` : null;
      if (address !== null && !this.entries.has(address)) this.entries.set(address, entry);
    }
  }

  /** The entry is from now on this resource. */
  assign({ index }: Pick<BundleEntry, 'index'>, address: string): void {
    const entry = this.byIndex.get(index);
    if (entry !== undefined) entry.address = address;
  }

  /** Records the match of a conditional reference. */
  assignCriteria(reference: string, address: string): void {
    this.conditional.set(reference, address);
  }

  /** Links that no entry answers to, or an entry of a type that is not allowed there; expressions start at the resource. */
  faultsOf(links: readonly FoundLink[], fullUrl: string | null): ResourceIssue[] {
    return links.flatMap((link) => {
      if (link.kind === 'narrative') return [];
      const type = this.entryOf(link, fullUrl)?.type;
      if (type === undefined)
        return isLink(link) && URN.test(link.value)
          ? [error('invalid', link.expression, 'No entry of the Bundle has this fullUrl.')]
          : [];
      if (link.targets.length === 0 || link.targets.includes(type)) return [];
      return [error('value', link.expression, `A reference to ${link.targets.join(' or ')} is expected here.`)];
    });
  }

  /** Rewrites the links whose entries have their ids by now. */
  rewrite(links: readonly FoundLink[], fullUrl: string | null): void {
    for (const link of links) {
      const entry = link.kind === 'narrative' ? undefined : this.entryOf(link, fullUrl);
      if (link.kind === 'narrative') link.value = this.rewriteNarrative(link.value);
      else if (entry?.isSkipped === true) link.detach(entry.type);
      else
        link.value =
          entry?.address ?? (link.kind === 'reference' ? this.conditional.get(link.value) : undefined) ?? link.value;
    }
  }

  /** True where the link names an entry, or could only name one: what a batch refuses. */
  isWithinBundle(link: FoundLink, fullUrl: string | null): boolean {
    return (
      link.kind !== 'narrative' && (this.entryOf(link, fullUrl) !== undefined || (isLink(link) && URN.test(link.value)))
    );
  }

  private entryOf({ kind, value }: FoundLink, fullUrl: string | null): NamedEntry | undefined {
    const exact = this.entries.get(keyOf(value));
    if (exact !== undefined || kind !== 'reference' || this.entries.size === 0) return exact;
    // A relative reference belongs to the server that its entry comes from; an absolute one of ours may be named either way.
    const root = fullUrl === null ? undefined : RESTFUL.exec(fullUrl)?.[1];
    const relative = relativeTo(this.base, value);
    return (
      (root === undefined ? undefined : this.entries.get(`${root}${relative}`)) ??
      this.entries.get(relative) ??
      this.entries.get(`${this.base}/${relative}`)
    );
  }

  private rewriteNarrative(html: string): string {
    if (this.entries.size === 0 || !html.includes('=')) return html;
    return html.replace(NARRATIVE_LINK, (whole, before: string, quoted: string) => {
      const address = this.entries.get(keyOf(quoted.slice(1, -1)))?.address;
      return address === null || address === undefined ? whole : `${before}${quoted[0]}${address}${quoted[0]}`;
    });
  }
}

/** The parts of a conditional reference (`Practitioner?identifier=…`), with or without our own base; null for any other. */
export function criteriaOf(
  reference: string,
  base: string,
): { readonly type: string; readonly criteria: string } | null {
  const [, type, criteria] = CONDITIONAL.exec(relativeTo(base, reference)) ?? [];
  return type === undefined || criteria === undefined ? null : { type, criteria };
}

/** RFC 4122: a UUID is read without regard to case, as senders of two libraries write it. */
function keyOf(url: string): string {
  return /^urn:uuid:/i.test(url) ? url.toLowerCase() : url;
}

/** Places where a urn can only mean an entry. Any other uri, such as the system of an identifier, may be a urn in its own right. */
function isLink({ kind }: FoundLink): boolean {
  return kind === 'reference' || kind === 'url';
}
