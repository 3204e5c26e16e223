/** Returns the data of a report's page. */
export function reportData<T = unknown>(html: string): T {
  const [, json] = /<script type="application\/json" id="report">([^<]*)<\/script>/.exec(html) ?? [];
  if (json === undefined) throw new Error("expected a page with data, but received one without");
  return JSON.parse(json) as T;
}
