/** Replaces the URLs of sites with placeholders such as `__SHOPPING__`, and vice versa. */
import { placeholderOf, type SiteName, type SiteUrls } from "../../tasks/sites.js";

export class SiteAddresses {
  private readonly sites: readonly (readonly [placeholder: string, url: string])[];
  /**
   * URLs of the sites, with the longest URL first, because the shop's URL may be a prefix of the URL of the shop's
   * administration.
   */
  private readonly longestFirst: readonly (readonly [placeholder: string, url: string])[];

  constructor(urls: SiteUrls) {
    this.sites = (Object.entries(urls) as [SiteName, string][]).map(([site, url]) => [placeholderOf(site), url]);
    this.longestFirst = this.sites.toSorted(([, one], [, other]) => other.length - one.length);
  }

  /**
   * Replaces the placeholder of the site with whose placeholder a URL begins. Returns undefined if the URL does not
   * begin with a known placeholder.
   */
  filled(template: string): string | undefined {
    const site = this.sites.find(([placeholder]) => template.startsWith(placeholder));
    return site && template.replaceAll(site[0], () => site[1]);
  }

  /** Replaces a site's URL in a text with the placeholder. Returns undefined if the text contains no URL of a site. */
  emptied(text: string): string | undefined {
    const site = this.longestFirst.find(([, url]) => text.includes(url));
    return site && text.replaceAll(site[1], () => site[0]);
  }
}
