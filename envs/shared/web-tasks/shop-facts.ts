/** Reads data from the shop's REST API for the helpers of WebArena's evaluators, which query Magento. */
import { z } from "zod";
import { ServiceFailed } from "../../errors.js";
import type { ShopFacts } from "./evaluators/program-html.js";
import type { Ask, SiteClient } from "./site-client.js";
import type { SiteUrls } from "./tasks/sites.js";

/** Account of the administrator in the published images of the shop. */
const administrator = JSON.stringify({ username: "admin", password: "admin1234" });
const newestOrder = new URLSearchParams({
  "searchCriteria[sortOrders][0][field]": "created_at",
  "searchCriteria[sortOrders][0][direction]": "DESC",
  "searchCriteria[pageSize]": "1",
});

const orders = z.object({ items: z.array(z.looseObject({ increment_id: z.string() })).min(1) });
const rating = z.looseObject({ percent: z.number() });
const reviews = z.array(z.looseObject({ nickname: z.string(), ratings: z.array(rating).min(1) }));

/** Returns an object that reads the data. Its methods throw ServiceFailed if the shop does not answer as expected. */
export function shopFacts(client: SiteClient, sites: SiteUrls, signal: AbortSignal): ShopFacts {
  const shop = () => {
    if (sites.shopping === undefined) throw new ServiceFailed("a URL of the site shopping", "none");
    return sites.shopping;
  };
  const ask = async <T>(schema: z.ZodType<T>, path: string, how: Omit<Ask, "signal">): Promise<T> => {
    const url = `${shop()}/rest/${path}`;
    const { status, text } = await client.ask(url, { ...how, signal });
    if (status !== 200) throw new ServiceFailed(`an answer of ${url}`, `status ${status}`);
    const read = z
      .string()
      .transform((json) => JSON.parse(json))
      .pipe(schema)
      .safeParse(text);
    if (!read.success) throw new ServiceFailed(`an answer of ${url} in Magento's form`, text.slice(0, 200), read.error);
    return read.data;
  };
  const asAdministrator = async () => {
    const headers = { "content-type": "application/json" };
    const path = "default/V1/integration/admin/token";
    const token = await ask(z.string(), path, { method: "POST", headers, body: administrator });
    return { headers: { authorization: `Bearer ${token}` } };
  };
  const latestReview = async (sku: string) =>
    (await ask(reviews, `V1/products/${encodeURIComponent(sku)}/reviews`, await asAdministrator())).at(-1);
  return {
    async latestOrderUrl() {
      const { items } = await ask(orders, `V1/orders?${newestOrder}`, await asAdministrator());
      return `${shop()}/sales/order/view/order_id/${Number(items[0]?.increment_id)}/`;
    },
    latestReviewAuthor: async (sku) => (await latestReview(sku))?.nickname ?? "",
    latestReviewRating: async (sku) => String((await latestReview(sku))?.ratings[0]?.percent ?? ""),
  };
}
