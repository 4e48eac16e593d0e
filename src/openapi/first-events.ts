interface UiRequest {
  headers?: Record<string, string>;
  userFetch?: typeof fetch;
}

/**
 * Swagger UI waits for the end of an answer before it shows anything of it, and a stream may have none: of streams it
 * gets what comes within the first seconds. This runs in the browser, which gets its text: it needs nothing around it.
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
