interface UiRequest {
  headers?: Record<string, string>;
  userFetch?: typeof fetch;
}

/**
 * Swagger UI shows an answer when it ends, which a stream may never do: it gets the events of the first seconds. This
 * function runs in the browser from its source text, so it must be self-contained.
 */
export function takeFirstEvents(request: UiRequest): UiRequest {
  if (request.headers?.accept !== 'text/event-stream') return request;
  request.userFetch = async (url, options) => {
    const leave = new AbortController();
    setTimeout(() => leave.abort(), 5_000);
    const response = await fetch(url, { ...options, signal: leave.signal });
    const { status, headers } = response;
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    try {
      for (const reader = response.body!.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) break;
        chunks.push(value);
      }
    } catch (error) {
      if (!leave.signal.aborted) throw error;
    }
    return new Response(status === 204 ? null : new Blob(chunks), { status, headers });
  };
  return request;
}
