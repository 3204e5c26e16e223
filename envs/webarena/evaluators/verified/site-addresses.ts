/** Placeholders of sites, `__SHOPPING__`, in the place of their addresses, and the other way round. */
import { placeholderOf, type SiteName, type SiteUrls } from "../../tasks/sites.js";

export class SiteAddresses {
  private readonly sites: readonly (readonly [placeholder: string, url: string])[];
  /** The longest address first: the shop's may be the beginning of its administration's. */
  private readonly longestFirst: readonly (readonly [placeholder: string, url: string])[];

  constructor(urls: SiteUrls) {
    this.sites = (Object.entries(urls) as [SiteName, string][]).map(([site, url]) => [placeholderOf(site), url]);
    this.longestFirst = this.sites.toSorted(([, one], [, other]) => other.length - one.length);
  }

  /** Address with its placeholder filled in, or undefined where it begins with none of a known site. */
  filled(template: string): string | undefined {
    const site = this.sites.find(([placeholder]) => template.startsWith(placeholder));
    return site && template.replaceAll(site[0], () => site[1]);
  }

  /** Text with the address of the first site that occurs in it replaced, or undefined where none occurs. */
  emptied(text: string): string | undefined {
    const site = this.longestFirst.find(([, url]) => text.includes(url));
    return site && text.replaceAll(site[1], () => site[0]);
  }
}
