import type { Config } from '../config/config.js';
import { NoTracing, type TracingService } from './tracing.service.js';

/** OpenTelemetry is large and most installs have no collector: it is loaded only where one is configured. */
export async function createTracing({ otelExporterOtlpEndpoint: endpoint }: Config): Promise<TracingService> {
  if (endpoint === null) return new NoTracing();
  const { OpenTelemetryTracing } = await import('./open-telemetry-tracing.js');
  return new OpenTelemetryTracing(endpoint);
}
