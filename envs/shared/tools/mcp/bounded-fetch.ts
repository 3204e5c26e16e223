/** Maximum size of one reply in bytes. */
const mostBytes = 10 * 2 ** 20;

/** Same as `fetch`, but fails if a reply is longer than 10 MiB, so that a reply cannot exhaust the memory. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.body) return response;
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > mostBytes) controller.error(new RangeError(`a reply of more than ${mostBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bound), { status, statusText, headers });
}
