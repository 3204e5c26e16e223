/** Replaces the addresses of sites with placeholders such as `__SHOPPING__`, and vice versa. */
import { placeholderOf, type SiteName, type SiteUrls } from "../../tasks/sites.js";

export class SiteAddresses {
  private readonly sites: readonly (readonly [placeholder: string, url: string])[];
  /**
   * Site addresses, with the longest address first. The shop's address may be a prefix of the address of the shop's
   * administration.
   */
  private readonly longestFirst: readonly (readonly [placeholder: string, url: string])[];

  constructor(urls: SiteUrls) {
    this.sites = (Object.entries(urls) as [SiteName, string][]).map(([site, url]) => [placeholderOf(site), url]);
    this.longestFirst = this.sites.toSorted(([, one], [, other]) => other.length - one.length);
  }

  /**
   * Replaces the placeholder at the start of an address. Returns undefined if the address has no placeholder of a known
   * site.
   */
  filled(template: string): string | undefined {
    const site = this.sites.find(([placeholder]) => template.startsWith(placeholder));
    return site && template.replaceAll(site[0], () => site[1]);
  }

  /** Replaces the address of the first site that occurs in a text. Returns undefined if no site's address occurs. */
  emptied(text: string): string | undefined {
    const site = this.longestFirst.find(([, url]) => text.includes(url));
    return site && text.replaceAll(site[1], () => site[0]);
  }
}
