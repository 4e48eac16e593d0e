import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp } from '../support/app.js';

interface ExportedSpan {
  traceId: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface ExportedTraces {
  resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[];
}

/** An OpenTelemetry collector that keeps what it gets. */
async function startCollector(): Promise<{ url: string; spans: ExportedSpan[] }> {
  const spans: ExportedSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as ExportedTraces;
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans };
}

describe('traces', () => {
  it('a trace is sent to the collector as part of the trace of the client, with the route but not the path', async () => {
    const collector = await startCollector();
    const tidemark = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    try {
      const client = await createClient(tidemark);
      const account = '7c0e7a52-4b6f-4d0c-9a39-1f3f4e2f6a11';
      await client.get(`/api/v1/accounts/${account}`, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    } finally {
      // What is not sent yet is sent at the end.
      await tidemark.stop();
    }
    const [span] = collector.spans.filter((span) => span.traceId === traceId);
    expect(span).toMatchObject({ name: 'GET /api/v1/accounts/:id' });
    expect(span?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 404 } });
    expect(JSON.stringify(collector.spans)).not.toContain('7c0e7a52');
  });
});
